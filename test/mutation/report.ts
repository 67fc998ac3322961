/** Reports in the format of mutation-testing-report-schema, as far as they are read. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Mutant {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
  /** Whether its code runs once, as the module is loaded. */
  readonly static?: boolean;
  readonly location: { readonly start: Position; readonly end: Position };
}

export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

const ALIVE = ['Survived', 'NoCoverage'];

export const isAlive = ({ status }: Mutant): boolean => ALIVE.includes(status);

/** What is told of one file. */
export interface Mutated {
  readonly file: string;
  readonly source: string;
}

/** Where the mutants that live are, as Stryker's `mutate` takes it: `path:line:column-line:column`, columns from 0. */
export function rangesOf({ files }: Report, wanted: (mutant: Mutant, where: Mutated) => boolean): string[] {
  const ranges = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter((mutant) => isAlive(mutant) && wanted(mutant, { file, source }))
      .map(({ location: { start, end } }) => `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`),
  );
  return [...new Set(ranges)];
}

/** `report`, and of each mutant that lived there and that `later` killed, how it ended. */
export function merged(report: Report, later: Report): Report {
  const ends = new Map(
    Object.entries(later.files).flatMap(([file, { mutants }]) =>
      mutants.filter((mutant) => !isAlive(mutant)).map((mutant) => [identityOf(file, mutant), mutant] as const),
    ),
  );
  const files = Object.entries(report.files).map(([file, { source, mutants }]) => {
    const updated = mutants.map(
      (mutant) => (isAlive(mutant) ? ends.get(identityOf(file, mutant)) : undefined) ?? mutant,
    );
    return [file, { source, mutants: updated }] as const;
  });
  return { files: Object.fromEntries(files) };
}

function identityOf(file: string, { mutatorName, replacement, location }: Mutant): string {
  return JSON.stringify([file, mutatorName, replacement, location]);
}
