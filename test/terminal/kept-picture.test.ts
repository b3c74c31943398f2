import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pictureNamePattern } from '../../source/terminal/picture/picture-file.ts';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { simulator, env } = registerLiveAccount({ computers: 7 });

/** Starts the monitor on an account whose password is known, each time in the same state folder. */
const start = (change: Record<string, string> = {}) =>
	open({
		line: `exec ${process.execPath} ${program}`,
		env: {
			...env(),
			CROWSNEST_PASSWORD: simulator().password,
			CROWSNEST_STATE_DIR: join(folder(), 'state'),
			CROWSNEST_CONFIG_DIR: join(folder(), 'config'),
			...change,
		},
	});

const enterings = (output: string) => output.split('\u001B[?1049h').length - 1;

test('a start shows how the table looked last before anything else, until the first frame takes its place', async () => {
	const first = start();
	await first.sees('live, ');
	expect(first.received()).not.toContain('as of');
	await first.press('q');
	await first.ended();
	const pictures = readdirSync(join(folder(), 'state', 'journal')).filter(name =>
		pictureNamePattern.test(name),
	);
	expect(pictures).toHaveLength(1);

	const second = start();
	await second.sees('live, ');
	await second.press('q');
	await second.ended();
	const output = second.received();
	const [picture = '', rest = ''] = output.split('\u001B[?2026h');
	expect(picture).toMatch(/^\u001B\[\?1049h\u001B\[m\u001B\[H\u001B\[J/);
	expect(picture).toMatch(/as of \d\d:\d\d:\d\d/);
	for (const name of ['atlas', 'borealis', 'gemini']) expect(picture).toContain(name);
	// Nothing clears the picture until the first frame, and the line that the question for the width erased is drawn again.
	expect(enterings(output)).toBe(1);
	expect(picture.split('\u001B[J')).toHaveLength(2);
	expect(picture.split(/as of/)).toHaveLength(3);
	expect(rest).not.toContain('as of');
	expect(second.modes()).toMatchObject({
		screen: 'normal',
		isCursorHidden: false,
		wraparoundMode: true,
	});
});

test('a start that ends with a mistake gives the screen back, so that the message is in sight', async () => {
	const first = start();
	await first.sees('live, ');
	await first.press('q');
	await first.ended();
	// The key of the platform is a secret, so a picture does not depend on it.
	const failing = start({ CROWSNEST_ANON_KEY: '' });
	expect(await failing.ended()).toMatchObject({ exitCode: 2 });
	expect(failing.received()).toContain('as of');
	expect(failing.modes().screen).toBe('normal');
	expect(failing.text()).toContain('CROWSNEST_ANON_KEY');
});
