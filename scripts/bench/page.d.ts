type Table = { title: string; rows: readonly (readonly string[])[] };

/** Returns the page of figures with the measured tables in it. `origin` says when and where they were measured. */
export function pageWithTables(page: string, tables: readonly Table[], origin: string): string;
