// One model of several files, for the tests of the library and of the command line.

export const model = `import "lib/vectors.lam" (Vec3, dot3)

def f (v : Vec3) (k : R) : R = k * dot3 v v
`;
export const vectors = `import "../base.lam" (times)

--- A vector.
data Vec3 = Vec3 { x : R, y : R, z : R }

--- The inner product.
def dot3 (a : Vec3) (b : Vec3) : R = times a.x b.x + times a.y b.y + times a.z b.z
`;
export const base = "def times (a : R) (b : R) : R = a * b\n";
export const files = { "m.lam": model, "lib/vectors.lam": vectors, "base.lam": base };
export const args = { v: { x: 1, y: 2, z: 3 }, k: 10 };
export const document = { value: 140, grad: { v: { x: 20, y: 40, z: 60 }, k: 14 } };
