import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program, sessionsOf } from './session.ts';

const { open, folder } = sessionsOf();

/** Opens the monitor with its fleet on screen and finds the process of the demo platform. */
async function opened(options = '') {
	const session = open({
		columns: 120,
		line: `exec ${process.execPath} ${program} --demo ${options}`,
		env: { CROWSNEST_STATE_DIR: join(folder(), 'state') },
	});
	await session.until('the fleet', () => session.text().includes('atlas'));
	const [demo = 0] = childrenOf(session.pty.pid);
	expect(isThere(demo)).toBe(true);
	return { session, demo };
}

const childrenOf = (parent: number) =>
	readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
		.split(' ')
		.filter(Boolean)
		.map(Number);

function isThere(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

test('`--demo` shows no welcome, `--read-only` refuses every change, and quitting ends the demo platform', async () => {
	const { session, demo } = await opened('--read-only');
	await session.press('x');
	expect(session.text()).toContain('Read-only: nothing can be changed here');
	expect(session.text()).toContain('24 computers');
	expect(session.text()).not.toMatch(/Welcome|x stop|D delete/);
	expect(existsSync(join(folder(), 'state', 'welcomed'))).toBe(false);
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
	await session.until('the end of the demo', () => !isThere(demo));
});

test('killing the monitor ends the demo platform', async () => {
	const { session, demo } = await opened();
	process.kill(session.pty.pid, 'SIGKILL');
	await session.ended();
	await session.until('the end of the demo', () => !isThere(demo));
});

test('killing the monitor while the demo platform is still starting ends the demo platform', async () => {
	const session = open({ line: `exec ${process.execPath} ${program} --demo` });
	const [demo = 0] = await session.until('the demo', () => {
		const children = childrenOf(session.pty.pid);
		return children.length > 0 && children;
	});
	process.kill(session.pty.pid, 'SIGKILL');
	await session.ended();
	await session.until('the end of the demo', () => !isThere(demo));
});

test('when the demo platform dies, the monitor says so and keeps showing the fleet', async () => {
	const { session, demo } = await opened();
	process.kill(demo, 'SIGKILL');
	await session.until('the news', () => session.text().includes('The demo platform has stopped'));
	expect(session.text()).toContain('atlas');
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
});
