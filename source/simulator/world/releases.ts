import { pickItem, randomCode, randomFraction, randomPurposes, valueWithin } from './random.ts';

export type Release = {
	version: string;
	releasedAt: number;
	title: string;
	description: string;
	sha: string;
	changes: readonly { type: string; text: string }[];
};

const dayMs = 86_400_000;
const firstVersions = ['1.3.7', '1.3.8', '1.3.9', '1.4.0', '1.4.1', '1.4.2'];

const releaseTitles = [
	'Faster first start',
	'Fewer surprises after sleep',
	'New tools in the image',
	'Calmer under load',
	'Housekeeping',
] as const;

const possibleChanges = [
	{ type: 'added', text: 'Node 24 and Python 3.13 are in the image.' },
	{ type: 'added', text: 'Published ports answer while the computer wakes up.' },
	{ type: 'fixed', text: 'Timers no longer fire twice after a resume.' },
	{ type: 'fixed', text: 'A full /workspace is reported instead of hanging the shell.' },
	{ type: 'fixed', text: 'The clock is right again after a long sleep.' },
	{ type: 'changed', text: 'Alpine Linux is brought up to its newest packages.' },
	{ type: 'security', text: 'OpenSSL and OpenSSH are brought up to date.' },
	{ type: 'removed', text: 'Python 3.9 is gone; use 3.11 or newer.' },
] as const;

/** Returns the time between two releases: one to two weeks, in milliseconds. */
const releaseIntervalMs = (seed: number, releaseIndex: number) =>
	valueWithin(
		[7 * dayMs, 14 * dayMs],
		randomFraction(seed, randomPurposes.release, releaseIndex, 0),
	);

export function createRelease(
	seed: number,
	releaseIndex: number,
	version: string,
	releasedAt: number,
): Release {
	const randomAt = (place: number) =>
		randomFraction(seed, randomPurposes.release, releaseIndex, place);
	const chosenChanges = new Set([
		pickItem(possibleChanges, randomAt(1)),
		pickItem(possibleChanges, randomAt(2)),
		pickItem(possibleChanges, randomAt(3)),
	]);
	return {
		version,
		releasedAt,
		title: pickItem(releaseTitles, randomAt(4)),
		description: 'Files in /workspace stay. Processes end when the computer restarts.',
		sha: randomCode(12, seed, randomPurposes.release, releaseIndex, 5),
		changes: [...chosenChanges],
	};
}

/** Returns the releases that were published before the simulation starts, oldest first. */
export function releasesBefore(seed: number, start: number): Release[] {
	let releasedAt =
		start - valueWithin([2 * dayMs, 6 * dayMs], randomFraction(seed, randomPurposes.release, 0, 6));
	const releases = firstVersions
		.map((version, releaseIndex) => ({ version, count: releaseIndex }))
		.reverse();
	return releases
		.map(({ version, count: releaseIndex }) => {
			const release = createRelease(seed, releaseIndex, version, releasedAt);
			releasedAt -= releaseIntervalMs(seed, releaseIndex - 1);
			return release;
		})
		.reverse();
}

export function latestOf(releases: readonly Release[]): Release {
	const latest = releases.at(-1);
	if (!latest) throw new Error('The list of releases must not be empty.');
	return latest;
}

export function nextReleaseAt(seed: number, releases: readonly Release[]): number {
	return latestOf(releases).releasedAt + releaseIntervalMs(seed, releases.length - 1);
}

export function nextVersion(seed: number, releases: readonly Release[]): string {
	const [major = 0, minor = 0, patch = 0] = versionNumbersOf(latestOf(releases).version);
	return randomFraction(seed, randomPurposes.release, releases.length, 7) < 0.25
		? `${major}.${minor + 1}.0`
		: `${major}.${minor}.${patch + 1}`;
}

const versionNumbersOf = (version: string) => version.split('.').map(Number);

export function isNewer(version: string, other: string): boolean {
	const [numbers, otherNumbers] = [versionNumbersOf(version), versionNumbersOf(other)];
	const firstDifference = numbers.findIndex((number, index) => number !== otherNumbers[index]);
	return (
		firstDifference >= 0 && (numbers[firstDifference] ?? 0) > (otherNumbers[firstDifference] ?? 0)
	);
}
