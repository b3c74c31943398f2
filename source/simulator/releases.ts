import { between, fraction, pick, randomCode, salts } from './random.ts';

export type Release = {
	version: string;
	releasedAt: number;
	title: string;
	description: string;
	sha: string;
	changes: readonly { type: string; text: string }[];
};

const day = 86_400_000;
const firstVersions = ['1.3.7', '1.3.8', '1.3.9', '1.4.0', '1.4.1', '1.4.2'];

const titles = [
	'Faster first start',
	'Fewer surprises after sleep',
	'New tools in the image',
	'Calmer under load',
	'Housekeeping',
] as const;

const changes = [
	{ type: 'added', text: 'Node 24 and Python 3.13 are in the image.' },
	{ type: 'added', text: 'Published ports answer while the computer wakes up.' },
	{ type: 'fixed', text: 'Timers no longer fire twice after a resume.' },
	{ type: 'fixed', text: 'A full /workspace is reported instead of hanging the shell.' },
	{ type: 'fixed', text: 'The clock is right again after a long sleep.' },
	{ type: 'changed', text: 'Alpine Linux is brought up to its newest packages.' },
	{ type: 'security', text: 'OpenSSL and OpenSSH are brought up to date.' },
	{ type: 'removed', text: 'Python 3.9 is gone; use 3.11 or newer.' },
] as const;

/** The time until the next version, one to two weeks. */
const gapAfter = (seed: number, count: number) =>
	between([7 * day, 14 * day], fraction(seed, salts.release, count, 0));

export function releaseOf(
	seed: number,
	count: number,
	version: string,
	releasedAt: number,
): Release {
	const part = (place: number) => fraction(seed, salts.release, count, place);
	const chosen = new Set([pick(changes, part(1)), pick(changes, part(2)), pick(changes, part(3))]);
	return {
		version,
		releasedAt,
		title: pick(titles, part(4)),
		description: 'Files in /workspace stay. Processes end when the computer restarts.',
		sha: randomCode(12, seed, salts.release, count, 5),
		changes: [...chosen],
	};
}

/** Returns the releases from before the start of the simulation, oldest first. */
export function releasesBefore(seed: number, start: number): Release[] {
	let releasedAt = start - between([2 * day, 6 * day], fraction(seed, salts.release, 0, 6));
	const releases = firstVersions.map((version, count) => ({ version, count })).reverse();
	return releases
		.map(({ version, count }) => {
			const release = releaseOf(seed, count, version, releasedAt);
			releasedAt -= gapAfter(seed, count - 1);
			return release;
		})
		.reverse();
}

export function latestOf(releases: readonly Release[]): Release {
	const latest = releases.at(-1);
	if (!latest) throw new Error('There is always a release.');
	return latest;
}

export function nextReleaseAt(seed: number, releases: readonly Release[]): number {
	return latestOf(releases).releasedAt + gapAfter(seed, releases.length - 1);
}

export function nextVersion(seed: number, releases: readonly Release[]): string {
	const [major = 0, minor = 0, patch = 0] = numbersOf(latestOf(releases).version);
	return fraction(seed, salts.release, releases.length, 7) < 0.25
		? `${major}.${minor + 1}.0`
		: `${major}.${minor}.${patch + 1}`;
}

const numbersOf = (version: string) => version.split('.').map(Number);

export function isNewer(version: string, other: string): boolean {
	const [one, two] = [numbersOf(version), numbersOf(other)];
	const place = one.findIndex((number, index) => number !== two[index]);
	return place >= 0 && (one[place] ?? 0) > (two[place] ?? 0);
}
