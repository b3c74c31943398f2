import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const fixtures = resolve(import.meta.dirname, '../fixtures/state-v0');

/** When the tokens in the fixtures were stored. As in the program, this was before the other files were written. */
export const signedInAt = 1_795_312_696_000;

/** The account that wrote the fixtures. */
export const owner = {
	baseUrl: 'http://127.0.0.1:38787/v1',
	authUrl: 'http://127.0.0.1:38787',
	email: 'owner@example.com',
};

/** A copy of a fixture with its original file modes, which a repository does not keep. */
export function stateFrom(kind: 'profile' | 'environment', tokenAt = signedInAt): string {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-v0-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const state = join(folder, 'state');
	cpSync(join(fixtures, kind), state, { recursive: true });
	chmodSync(state, 0o700);
	for (const name of readdirSync(state, { recursive: true, encoding: 'utf8' })) {
		const path = join(state, name);
		chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
		if (name.startsWith('tokens/')) utimesSync(path, tokenAt / 1000, tokenAt / 1000);
	}
	return state;
}
