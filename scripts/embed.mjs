// Placeholder until the runtime is embedded.
