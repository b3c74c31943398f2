/** The folder of the project, with a slash at its end. */
export const root: string;
/** Where the built program lies. */
export const bundle: string;
export function buildProgram(options?: {
	entry?: string;
	outfile?: string;
	keepAfter?: number;
}): Promise<void>;
export function buildIfChanged(): Promise<void>;
