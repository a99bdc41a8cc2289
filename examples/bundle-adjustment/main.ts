// Bundle adjustment: where cameras stood, how they were turned and made, and where the points are that they saw, all at once from the pictures.

import { isMain } from "../shared/is-main.js";
import { leastSquares, type Fit } from "../shared/least-squares.js";
import { numbersOf } from "../shared/numbers.js";
import { normalNumber, randomNumbers } from "../shared/random.js";
import { project, projectVjp, type Camera, type Sighting, type Vec3 } from "./model.grad.js";

export interface Scene {
  readonly cameras: readonly Camera[];
  readonly points: readonly Vec3[];
}

/** Cameras on an arc of 60 degrees look at a cloud of points in its middle. */
export const scene: Scene = makeScene();

function makeScene(): Scene {
  const random = randomNumbers(3);
  const [cameras, points] = [6, 30];
  return {
    cameras: Array.from({ length: cameras }, (_, i) => {
      const angle = ((i / (cameras - 1) - 0.5) * Math.PI) / 3;
      return {
        rotation: { x: 0.05 * normalNumber(random), y: angle, z: 0.05 * normalNumber(random) },
        center: { x: 8 * Math.sin(angle), y: 0.5 * normalNumber(random), z: -8 * Math.cos(angle) },
        focal: 1000,
        principal: [640, 480],
        radial: [-0.05, 0.01],
      };
    }),
    points: Array.from({ length: points }, () => ({
      x: 1.5 * normalNumber(random),
      y: 1.5 * normalNumber(random),
      z: 1.5 * normalNumber(random),
    })),
  };
}

/** What the cameras see, to a tenth of a pixel or so. */
export const sightings: readonly Sighting[] = see();

function see(): readonly Sighting[] {
  const random = randomNumbers(4);
  return scene.cameras.flatMap((camera, i) =>
    scene.points.map((point, j): Sighting => {
      const [u, v] = project(camera, point);
      return { camera: i, point: j, seen: [u + 0.1 * normalNumber(random), v + 0.1 * normalNumber(random)] };
    }),
  );
}

/** A scene as it is known at first: everything is off. */
export function estimate(): Scene {
  const random = randomNumbers(5);
  const off = (size: number, { x, y, z }: Vec3): Vec3 => ({
    x: x + size * normalNumber(random),
    y: y + size * normalNumber(random),
    z: z + size * normalNumber(random),
  });
  return {
    cameras: scene.cameras.map(({ rotation, center, focal, principal }) => ({
      rotation: off(0.02, rotation),
      center: off(0.1, center),
      focal: focal * 1.05,
      principal,
      radial: [0, 0],
    })),
    points: scene.points.map((point) => off(0.1, point)),
  };
}

/** By how much a scene's pictures differ from what was seen, two numbers for each sighting. */
export function residuals({ cameras, points }: Scene): readonly number[] {
  return sightings.flatMap(({ camera, point, seen: [u, v] }) => {
    const [u1, v1] = project(nth(cameras, camera), nth(points, point));
    return [u1 - u, v1 - v];
  });
}

/** Their gradients, by pullbacks: a sighting depends on one camera and one point, and all other entries are zero. */
export function jacobian({ cameras, points }: Scene): readonly (readonly number[])[] {
  const [perCamera, perPoint] = [numbersOf(cameras[0]).length, 3];
  const columns = perCamera * cameras.length + perPoint * points.length;
  return sightings.flatMap(({ camera, point }) => {
    const { pullback } = projectVjp(nth(cameras, camera), nth(points, point));
    return [pullback([1, 0]), pullback([0, 1])].map((gradient) => {
      const row = new Array<number>(columns).fill(0);
      const place = (at: number, entries: readonly number[]) => {
        for (const [i, entry] of entries.entries()) row[at + i] = entry;
      };
      place(perCamera * camera, numbersOf(gradient.camera));
      place(perCamera * cameras.length + perPoint * point, numbersOf(gradient.point));
      return row;
    });
  });
}

function nth<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`${index} of ${items.length}`);
  return item;
}

/** The scene that explains the pictures best. */
export function adjust(from: Scene): Fit<Scene> {
  return leastSquares(from, (at) => ({ residuals: residuals(at), jacobian: () => jacobian(at) }), {
    maxIterations: 30,
  });
}

/** The root of the mean square of what each picture is off by, in pixels. */
export function typicalError(squares: number): number {
  return Math.sqrt(squares / sightings.length);
}

export function report(): string {
  const first = estimate();
  const before = residuals(first).reduce((sum, r) => sum + r * r, 0);
  const { error } = adjust(first);
  return `Pictures are off by ${typicalError(before).toFixed(1)} pixels at first, by ${typicalError(error).toFixed(2)} when adjusted.`;
}

if (isMain(import.meta.url)) console.log(report());
