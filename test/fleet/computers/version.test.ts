import { expect, test } from 'vitest';
import { compareVersions, isOutdated } from '../../../source/fleet/computers/version.ts';

test('versions are ordered by the numbers in them', () => {
	const ordered = [
		'0.9',
		'1.0.0-beta',
		'1.0.0-rc.1',
		'1.0.0-rc.2',
		'1.0.0',
		'1.2',
		'1.2.1',
		'1.10.0',
	];
	const shuffled = [...ordered].reverse();
	expect(shuffled.sort(compareVersions)).toEqual(ordered);
});

test('the comparison of versions ignores a leading v and the build number', () => {
	expect(compareVersions('v1.4.2', '1.4.2')).toBe(0);
	expect(compareVersions('1.4.2+build7', '1.4.2')).toBe(0);
});

test('versions without numbers are ordered alphabetically', () => {
	expect(compareVersions('edge', 'stable')).toBeLessThan(0);
	expect(compareVersions('stable', 'edge')).toBeGreaterThan(0);
	expect(compareVersions('', '')).toBe(0);
});

test('only a version that is known to be older is outdated', () => {
	expect(isOutdated('1.3.9', '1.4.2')).toBe(true);
	expect(isOutdated('1.4.2', '1.4.2')).toBe(false);
	expect(isOutdated('1.5.0', '1.4.2')).toBe(false);
	expect(isOutdated(null, '1.4.2')).toBe(false);
	expect(isOutdated('1.3.9', undefined)).toBe(false);
});
