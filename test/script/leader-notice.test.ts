import { expect, test } from 'vitest';
import { sayAgeOfSharedData } from '../../source/script/leader-notice.ts';

test('a command names the age of data from a monitor only if it is old, and no process', () => {
	const said: string[] = [];
	sayAgeOfSharedData(line => said.push(line), 9_000);
	expect(said).toEqual([]);
	sayAgeOfSharedData(line => said.push(line), 12_000, 'lab: ');
	expect(said).toEqual(['lab: Read 12 s ago by a monitor. --fresh asks the platform.']);
});
