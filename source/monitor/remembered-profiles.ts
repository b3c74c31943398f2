import { join } from 'node:path';
import {
	readPrivately,
	refusePublicStateFolder,
	writePrivately,
} from '../accounts/private-file.ts';
import { type Host, pathsOf } from '../session/host.ts';

/** The profiles that a person opened last, as the monitor remembers them. */
export type RememberedProfiles = {
	/** The profiles to open if several exist and nothing else chooses. */
	profiles: readonly string[];
	/**
	 * The profiles that a person added in the monitor. They are opened besides those that `profile =` in the
	 * configuration names.
	 */
	added: readonly string[];
};

const pathOf = (host: Host) => join(pathsOf(host).statePath, 'profiles.json');

const fileVersion = 1;

/** Returns the profiles that were chosen or added at an earlier start and that still exist. */
export function rememberedProfiles(
	host: Host,
	existing: readonly { name: string }[],
): RememberedProfiles {
	const saved = savedFields(host);
	const namesIn = (names: unknown) =>
		existing.flatMap(({ name }) => (Array.isArray(names) && names.includes(name) ? name : []));
	return { profiles: namesIn(saved['profiles']), added: namesIn(saved['added']) };
}

/** Saves some of the remembered profiles for the next start, and keeps the others. */
export function rememberProfiles(host: Host, remembered: Partial<RememberedProfiles>) {
	try {
		refusePublicStateFolder(pathsOf(host).statePath);
		const fields = { ...savedFields(host), ...remembered, version: fileVersion };
		writePrivately(pathOf(host), `${JSON.stringify(fields)}\n`);
	} catch {
		// A failure to save is ignored: then the next start asks again, or opens the profiles of the configuration.
	}
}

function savedFields(host: Host): Record<string, unknown> {
	try {
		const saved: Record<string, unknown> = { ...JSON.parse(readPrivately(pathOf(host)) ?? '{}') };
		return saved['version'] === fileVersion ? saved : {};
	} catch {
		return {};
	}
}
