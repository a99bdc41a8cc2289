// Sphere tracing by hand: a ray keeps how far it was and which sphere was nearest at each step, and goes back the same way.

import { matrix, rowsOf } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Vec3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface Sphere {
  readonly centre: Vec3;
  readonly radius: number;
  readonly albedo: number;
}

interface Scene {
  readonly spheres: readonly Sphere[];
  readonly light: Vec3;
  readonly background: number;
}

interface Camera {
  readonly eye: Vec3;
  readonly focal: number;
}

const steps = 30;

/** The scene in arrays, the ray of one pixel, and its way. */
class Tracer {
  /** Centre, radius and albedo of each sphere. */
  readonly spheres: Float64Array;
  readonly light = new Float64Array(3);
  readonly eye = new Float64Array(3);
  readonly ray = new Float64Array(3);
  readonly point = new Float64Array(3);
  readonly normal = new Float64Array(3);
  readonly lightLength: number;
  /** The length of the ray before it became 1. */
  long = 1;
  /** The scalar product of normal and light. */
  cosine = 0;
  readonly ways = new Float64Array(steps + 1);
  /** Where the nearest sphere begins in `spheres`, at each step and at the end. */
  readonly nearest = new Int32Array(steps + 1);
  private readonly background: number;
  private readonly focal: number;

  constructor({ spheres, light, background }: Scene, { eye, focal }: Camera) {
    this.spheres = new Float64Array(5 * spheres.length);
    spheres.forEach(({ centre, radius, albedo }, s) => {
      this.spheres.set([centre.x, centre.y, centre.z, radius, albedo], 5 * s);
    });
    this.lightLength = Math.sqrt(light.x * light.x + light.y * light.y + light.z * light.z);
    this.light.set([light.x / this.lightLength, light.y / this.lightLength, light.z / this.lightLength]);
    this.eye.set([eye.x, eye.y, eye.z]);
    this.background = background;
    this.focal = focal;
  }

  /** The distance of the nearest sphere from the point at `t`; which it is is kept for the step. */
  private distance(t: number, step: number): number {
    const { spheres, eye, ray } = this;
    const x = (eye[0] ?? 0) + t * (ray[0] ?? 0);
    const y = (eye[1] ?? 0) + t * (ray[1] ?? 0);
    const z = (eye[2] ?? 0) + t * (ray[2] ?? 0);
    let least = Infinity;
    let nearest = 0;
    for (let s = 0; s < spheres.length; s += 5) {
      const dx = x - (spheres[s] ?? 0);
      const dy = y - (spheres[s + 1] ?? 0);
      const dz = z - (spheres[s + 2] ?? 0);
      const d = Math.sqrt(dx * dx + dy * dy + dz * dz) - (spheres[s + 3] ?? 0);
      if (d < least) {
        least = d;
        nearest = s;
      }
    }
    this.nearest[step] = nearest;
    return least;
  }

  /** Whether the ray of a pixel hits. */
  hits(across: number, up: number): boolean {
    const { ray, ways, focal } = this;
    this.long = Math.sqrt(across * across + up * up + focal * focal);
    ray[0] = across / this.long;
    ray[1] = up / this.long;
    ray[2] = focal / this.long;
    let t = 0;
    for (let n = 0; n < steps; n++) {
      ways[n] = t;
      t += this.distance(t, n);
    }
    ways[steps] = t;
    return this.distance(t, steps) <= 0.01;
  }

  /** The shade of what the ray hits. */
  shade(): number {
    const { spheres, eye, ray, normal, light, nearest, ways } = this;
    const s = nearest[steps] ?? 0;
    const t = ways[steps] ?? 0;
    const dx = (eye[0] ?? 0) + t * (ray[0] ?? 0) - (spheres[s] ?? 0);
    const dy = (eye[1] ?? 0) + t * (ray[1] ?? 0) - (spheres[s + 1] ?? 0);
    const dz = (eye[2] ?? 0) + t * (ray[2] ?? 0) - (spheres[s + 2] ?? 0);
    const long = Math.sqrt(dx * dx + dy * dy + dz * dz);
    normal[0] = dx / long;
    normal[1] = dy / long;
    normal[2] = dz / long;
    const [x = 0, y = 0, z = 0] = normal;
    this.cosine = x * (light[0] ?? 0) + y * (light[1] ?? 0) + z * (light[2] ?? 0);
    return (spheres[s + 4] ?? 0) * Math.max(0, this.cosine);
  }

  /** The pixel's brightness. */
  pixel(across: number, up: number): number {
    return this.hits(across, up) ? this.shade() : this.background;
  }
}

function loss(scene: Scene, camera: Camera, image: readonly Float64Array[]): number {
  const tracer = new Tracer(scene, camera);
  const height = image.length;
  let total = 0;
  image.forEach((row, i) => {
    const width = row.length;
    let sum = 0;
    for (let j = 0; j < width; j++) {
      const error = tracer.pixel((j + 0.5) / width - 0.5, 0.5 - (i + 0.5) / height) - (row[j] ?? 0);
      sum += error * error;
    }
    total += sum / width;
  });
  return total / height;
}

/** Cotangents of what a tracer knows. */
class Back {
  readonly spheres_: Float64Array;
  /** That of the light of length 1. */
  readonly light_ = new Float64Array(3);
  readonly eye_ = new Float64Array(3);
  focal_ = 0;

  constructor(spheres: Float64Array) {
    this.spheres_ = new Float64Array(spheres.length);
  }

  /** Back from the shade of the ray that `tracer` holds. */
  shade(tracer: Tracer, shade_: number): void {
    const { cosine, spheres, normal, light, eye, ray, nearest, ways, long } = tracer;
    const { spheres_, light_, eye_ } = this;
    if (cosine <= 0) return;
    const last = nearest[steps] ?? 0;
    spheres_[last + 4] = (spheres_[last + 4] ?? 0) + shade_ * cosine;
    const cosine_ = shade_ * (spheres[last + 4] ?? 0);
    const [ex = 0, ey = 0, ez = 0] = eye;
    const [rx = 0, ry = 0, rz = 0] = ray;
    const [nx = 0, ny = 0, nz = 0] = normal;
    const [lx = 0, ly = 0, lz = 0] = light;
    light_[0] = (light_[0] ?? 0) + cosine_ * nx;
    light_[1] = (light_[1] ?? 0) + cosine_ * ny;
    light_[2] = (light_[2] ?? 0) + cosine_ * nz;
    const end = ways[steps] ?? 0;
    const dx = ex + end * rx - (spheres[last] ?? 0);
    const dy = ey + end * ry - (spheres[last + 1] ?? 0);
    const dz = ez + end * rz - (spheres[last + 2] ?? 0);
    const share = cosine_ / Math.sqrt(dx * dx + dy * dy + dz * dz);
    const px = share * (lx - cosine * nx);
    const py = share * (ly - cosine * ny);
    const pz = share * (lz - cosine * nz);
    spheres_[last] = (spheres_[last] ?? 0) - px;
    spheres_[last + 1] = (spheres_[last + 1] ?? 0) - py;
    spheres_[last + 2] = (spheres_[last + 2] ?? 0) - pz;
    let [ex_, ey_, ez_] = [px, py, pz];
    let [rx_, ry_, rz_] = [end * px, end * py, end * pz];
    let t_ = px * rx + py * ry + pz * rz;
    for (let n = steps - 1; n >= 0; n--) {
      const s = nearest[n] ?? 0;
      const t = ways[n] ?? 0;
      const x = ex + t * rx - (spheres[s] ?? 0);
      const y = ey + t * ry - (spheres[s + 1] ?? 0);
      const z = ez + t * rz - (spheres[s + 2] ?? 0);
      const k = t_ / Math.sqrt(x * x + y * y + z * z);
      const x_ = k * x;
      const y_ = k * y;
      const z_ = k * z;
      spheres_[s] = (spheres_[s] ?? 0) - x_;
      spheres_[s + 1] = (spheres_[s + 1] ?? 0) - y_;
      spheres_[s + 2] = (spheres_[s + 2] ?? 0) - z_;
      spheres_[s + 3] = (spheres_[s + 3] ?? 0) - t_;
      ex_ += x_;
      ey_ += y_;
      ez_ += z_;
      rx_ += t * x_;
      ry_ += t * y_;
      rz_ += t * z_;
      t_ += x_ * rx + y_ * ry + z_ * rz;
    }
    eye_[0] = (eye_[0] ?? 0) + ex_;
    eye_[1] = (eye_[1] ?? 0) + ey_;
    eye_[2] = (eye_[2] ?? 0) + ez_;
    this.focal_ += (rz_ - rz * (rx * rx_ + ry * ry_ + rz * rz_)) / long;
  }
}

function lossGradient(scene: Scene, camera: Camera, image: readonly Float64Array[]) {
  const tracer = new Tracer(scene, camera);
  const back = new Back(tracer.spheres);
  const height = image.length;
  const columns = image[0]?.length ?? 0;
  const image_ = rowsOf(new Float64Array(height * columns), height, columns);
  let total = 0;
  let background_ = 0;
  image.forEach((row, i) => {
    const width = row.length;
    const row_ = image_[i] ?? row;
    let sum = 0;
    for (let j = 0; j < width; j++) {
      const hit = tracer.hits((j + 0.5) / width - 0.5, 0.5 - (i + 0.5) / height);
      const error = (hit ? tracer.shade() : scene.background) - (row[j] ?? 0);
      sum += error * error;
      const error_ = (2 * error) / (width * height);
      row_[j] = -error_;
      if (hit) back.shade(tracer, error_);
      else background_ += error_;
    }
    total += sum / width;
  });
  const { spheres_, light_, eye_, focal_ } = back;
  const [x = 0, y = 0, z = 0] = light_;
  const { light, lightLength } = tracer;
  const [lx = 0, ly = 0, lz = 0] = light;
  const along = x * lx + y * ly + z * lz;
  const vector = (from: Float64Array, at: number): Vec3 => ({
    x: from[at] ?? 0,
    y: from[at + 1] ?? 0,
    z: from[at + 2] ?? 0,
  });
  return {
    value: total / height,
    grad: {
      scene: {
        spheres: scene.spheres.map((_, s) => ({
          centre: vector(spheres_, 5 * s),
          radius: spheres_[5 * s + 3] ?? 0,
          albedo: spheres_[5 * s + 4] ?? 0,
        })),
        light: {
          x: (x - along * lx) / lightLength,
          y: (y - along * ly) / lightLength,
          z: (z - along * lz) / lightLength,
        },
        background: background_,
      },
      camera: { eye: vector(eye_, 0), focal: focal_ },
      image: image_,
    },
  };
}

/** Four spheres on a square image. */
function ofSize(side: number): Sized {
  const sphere = (x: number, y: number, z: number, radius: number, albedo: number): Sphere => ({
    centre: { x, y, z },
    radius,
    albedo,
  });
  return {
    entry: "loss",
    args: [
      {
        spheres: [
          sphere(-0.9, 0.21, 4.1, 0.83, 0.9),
          sphere(0.87, 0.43, 4.6, 0.91, 0.7),
          sphere(0.12, -0.74, 3.3, 0.52, 0.8),
          sphere(0.05, 1.31, 5.7, 0.77, 0.6),
        ],
        light: { x: 0.6, y: 1.1, z: -1.7 },
        background: 0.1,
      },
      { eye: { x: 0.03, y: 0.07, z: -0.2 }, focal: 0.8 },
      matrix(side, side, 840, 0.5).map((row) => row.map((x) => x + 0.5)),
    ],
    elements: side * side * 30 * 4 * 12,
    primal: loss,
    gradient: lossGradient,
  };
}

/** Pixels along a side. */
export const workloads = natural("ray-march", [10, 30, 90], ofSize);
