/** The project folder, with a trailing slash. */
export const root: string;
/** The path of the built program. */
export const bundle: string;
type BuildOptions = {
	entry?: string;
	outfile?: string;
	keepAfter?: number;
	thriftyAfter?: number;
	settledAfter?: number;
};
export function buildProgram(options?: BuildOptions): Promise<void>;
export function buildIfChanged(options?: BuildOptions & { folders?: string[] }): Promise<void>;
