export type PackageFile = { path: string; mode: number; data: Buffer };
export type Control = {
	version: string;
	architecture: string;
	maintainer: string;
	dependencies: readonly string[];
	files: readonly PackageFile[];
	description: string;
};

export function architectureOf(processor: string): string;
export function dependenciesOf(
	sharedObjects: readonly string[],
	executable: Buffer,
): readonly string[];
export function filesOf(contents: {
	executable: Buffer;
	manual: string;
	completions: Record<'bash' | 'zsh' | 'fish', string>;
	licence: string;
	changelog: string;
	version: string;
	maintainer: string;
	seconds: number;
}): readonly PackageFile[];
export function controlText(control: Control): string;
export function debianPackage(contents: {
	control: string;
	files: readonly PackageFile[];
	seconds: number;
}): Buffer;
export function policyViolationsOf(contents: {
	control: string;
	files: readonly PackageFile[];
}): readonly string[];
