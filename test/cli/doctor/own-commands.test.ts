import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownCommandsChecks } from '../../../source/cli/doctor/setup.ts';
import type { Host } from '../../../source/session/host.ts';

function checksOf(config: string) {
	const home = mkdtempSync(join(tmpdir(), 'crowsnest-doctor-'));
	onTestFinished(() => rmSync(home, { recursive: true }));
	const folder = join(home, '.config', 'crowsnest');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	writeFileSync(join(folder, 'config.toml'), config, { mode: 0o600 });
	chmodSync(home, 0o700);
	const env = { PATH: process.env['PATH'] };
	return ownCommandsChecks({ home, program: { env } } as unknown as Host);
}

test('doctor has a line for each mistake in own commands, names missing programs, and lists the others', () => {
	const checks = checksOf(
		[
			'[commands.fine]\ncommand = ["sh", "-c", "true"]',
			'[commands.script]\ncommand = "true"\nshell = true',
			'[commands.missing]\ncommand = ["no-such-program", "{id}"]',
			'[commands.empty]',
			'[commands.wrong]\ncommand = ["sh"]\noutput = "nowhere"',
		].join('\n'),
	);
	expect(checks.map(({ status, finding }) => `${status} ${finding}`)).toEqual([
		expect.stringMatching(/^wrong .*config\.toml:8: commands\.empty has no command$/),
		expect.stringMatching(/^wrong .*config\.toml:11: commands\.wrong\.output must be one of /),
		'wrong missing: there is no program no-such-program',
		'right fine, script',
	]);
	expect(checksOf('')).toEqual([]);
});
