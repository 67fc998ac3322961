/** A stand-in for the build service that the example server deploys from. */

export interface BuildFeed {
  /** The name of the newest build. Builds are frequent: each look finds a newer one. */
  newest(): string;
  changesOf(build: string): readonly string[];
}

export function createBuildFeed(): BuildFeed {
  let count = 0;
  return {
    newest() {
      count += 1;
      return `build-${count}`;
    },
    changesOf: (build) => [`${build} keeps carts`, 'prices include tax'],
  };
}
