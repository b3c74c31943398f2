import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { configureHook } from '../configured-hook.ts';
import { createTestHost } from '../host.ts';

/** Creates a host whose configuration is wrong, so that every command without --demo fails. */
function hostWithWrongConfiguration() {
	const host = createTestHost({ isTerminal: false });
	mkdirSync(join(host.folder, 'config'));
	writeFileSync(join(host.folder, 'config', 'config.toml'), 'nonsense');
	return host;
}

test.each([
	[['list', '--limit', '1'], /^NAME .*\natlas .*\n$/],
	[['status'], /^\d+ active .*\n$/],
	[['log', '--limit', '1'], /^[^\n]+\n$/],
	[['stop', 'atlas', '--yes'], /^atlas: stopping\n$/],
])('%j --demo works on the demo platform, and not on an account', async (words, output) => {
	const host = hostWithWrongConfiguration();
	vi.stubEnv('TMPDIR', host.folder);
	onTestFinished(() => void vi.unstubAllEnvs());
	const { code, out, err } = await host.ran(...words, '--demo');
	expect({ code, out, err }).toMatchObject({ code: 0, out: expect.stringMatching(output) });
	expect(err).toContain('Demo data: nothing here is real');
	expect((await host.ran(...words)).code).toBe(2);
	expect(readdirSync(host.folder)).toEqual(['config']);
});

test('--demo and a profile together are refused', async () => {
	const { code, err } = await createTestHost().ran('list', '--demo', '--profile', 'work');
	expect({ code, err }).toMatchObject({
		code: 2,
		err: expect.stringContaining('Use either --demo or a profile'),
	});
});

test('watch --demo runs no hooks', async () => {
	const host = createTestHost({ isTerminal: false });
	const started = configureHook(host, 'stateChanged');
	vi.stubEnv('TMPDIR', host.folder);
	onTestFinished(() => void vi.unstubAllEnvs());
	const ran = host.ran('watch', '--demo');
	await host.see(/: \w+ .*→ \w+/);
	host.signal('SIGINT');
	await ran;
	expect(started()).toBe(0);
});
