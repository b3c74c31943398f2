import { dayMs } from '../../foundation/duration.ts';
import { pickItem, randomCode, randomFraction, randomPurposes, valueWithin } from './random.ts';

export type Release = {
	version: string;
	releasedAt: number;
	title: string;
	description: string;
	sha: string;
	changes: readonly { type: string; text: string }[];
};

const firstVersions = ['1.3.7', '1.3.8', '1.3.9', '1.4.0', '1.4.1', '1.4.2'];

const titles = [
	'Faster first start',
	'Fewer surprises after sleep',
	'New tools in the image',
	'Calmer under load',
	'Housekeeping',
] as const;

const changes = [
	{ type: 'added', text: 'Published ports answer while the computer wakes up.' },
	{ type: 'fixed', text: 'Timers no longer fire twice after a resume.' },
	{ type: 'security', text: 'OpenSSL and OpenSSH are brought up to date.' },
] as const;

const random = (seed: number, index: number, place: number) =>
	randomFraction(seed, randomPurposes.release, index, place);

const intervalMs = (seed: number, index: number) =>
	valueWithin([7 * dayMs, 14 * dayMs], random(seed, index, 0));

export function createRelease(
	seed: number,
	index: number,
	version: string,
	releasedAt: number,
): Release {
	return {
		version,
		releasedAt,
		title: pickItem(titles, random(seed, index, 4)),
		description: 'Files in /workspace stay. Processes end when the computer restarts.',
		sha: randomCode(12, seed, randomPurposes.release, index, 5),
		changes,
	};
}

export function releasesBefore(seed: number, time: number): Release[] {
	const releases: Release[] = [];
	let releasedAt = time - valueWithin([2 * dayMs, 6 * dayMs], random(seed, 0, 6));
	for (let index = firstVersions.length - 1; index >= 0; index -= 1) {
		releases.unshift(createRelease(seed, index, firstVersions[index] ?? '', releasedAt));
		releasedAt -= intervalMs(seed, index - 1);
	}
	return releases;
}

export function latestOf(releases: readonly Release[]): Release {
	const latest = releases.at(-1);
	if (!latest) throw new Error('The list of releases must not be empty.');
	return latest;
}

export function nextVersion(seed: number, releases: readonly Release[]): string {
	const [major, minor, patch] = latestOf(releases).version.split('.').map(Number);
	return random(seed, releases.length, 7) < 0.25
		? `${major}.${Number(minor) + 1}.0`
		: `${major}.${minor}.${Number(patch) + 1}`;
}
