/** The incidents of the example server. */

export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly severity: string;
}

export interface Incidents {
  /** Opens one, and calls the people on duty. */
  open(title: string, severity: string): Promise<Incident>;
  assign(id: string, owner: string): Promise<void>;
  /** How many were opened. */
  readonly count: number;
}

export function createIncidents(): Incidents {
  const owners = new Map<string, string | undefined>();
  return {
    open: async (title, severity) => {
      const id = `INC-${owners.size + 1}`;
      owners.set(id, undefined);
      return { id, title, severity };
    },
    assign: async (id, owner) => void owners.set(id, owner),
    get count() {
      return owners.size;
    },
  };
}
