/** The project folder, with a trailing slash. */
export const root: string;
/** The path of the built program. */
export const bundle: string;
export function buildProgram(options?: {
	entry?: string;
	outfile?: string;
	keepAfter?: number;
}): Promise<void>;
export function buildIfChanged(): Promise<void>;
