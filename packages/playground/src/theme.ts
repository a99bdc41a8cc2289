// Dark, light, or as the system has it.

import { button } from "./dom.js";

const names: Readonly<Record<string, string>> = {
  "light dark": "Theme: system",
  light: "Theme: light",
  dark: "Theme: dark",
};

const key = "dualrev-theme";

/** `?theme=` is for a page around this one, and is not kept. */
function kept(): string {
  const around = new URLSearchParams(location.search).get("theme");
  if (around !== null) return around;
  try {
    return localStorage.getItem(key) ?? "light dark";
  } catch {
    return "light dark";
  }
}

/** Sets a theme, or what was chosen before. */
export function nextTheme(name: string | null): void {
  const chosen = name ?? kept();
  document.documentElement.style.colorScheme = Object.hasOwn(names, chosen) ? chosen : "light dark";
  if (name === null) return;
  try {
    localStorage.setItem(key, name);
  } catch {
    // A page without storage forgets it
  }
}

export function themeButton(): HTMLButtonElement {
  const made = button(names[kept()] ?? "Theme: system", () => {
    const all = Object.keys(names);
    const next = all[(all.indexOf(document.documentElement.style.colorScheme) + 1) % all.length] ?? "light dark";
    nextTheme(next);
    made.textContent = names[next] ?? "";
  });
  return made;
}
