import { chmodSync, mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AccountSettings } from '../../../source/accounts/account-settings.ts';
import { sharedWatchCheck } from '../../../source/cli/doctor/shared-watch.ts';
import { pathsOf } from '../../../source/session/host.ts';
import { createTestHost } from '../host.ts';

const account = {
	baseUrl: 'https://a.example/v1',
	credentials: { kind: 'token', token: () => 'secret' },
	user: 'a@example.com',
	preferences: { alone: false },
} as unknown as AccountSettings;

test('doctor says why monitors poll for themselves if other users can enter the folder of the socket', async () => {
	const { host } = createTestHost();
	const identified = { ...host, bootIdentity: () => ['machine', 'boot'] };
	const { statePath } = pathsOf(identified);
	mkdirSync(statePath, { recursive: true });
	chmodSync(statePath, 0o755);
	expect(await sharedWatchCheck(identified, account)).toMatchObject({
		status: 'unsure',
		finding: `monitors cannot share: ${statePath} is open to other users`,
		advice: 'Each monitor polls for itself within the shared rate limits.',
	});
});
