import { expect, test } from 'vitest';
import type { AccountSettings } from '../../../source/accounts/account-settings.ts';
import { accountKey } from '../../../source/accounts/credentials.ts';
import { createSettingKeeper } from '../../../source/accounts/kept-settings.ts';
import { preferencesFrom } from '../../../source/accounts/setting-table.ts';
import { keptSettingsCheck } from '../../../source/cli/doctor/kept-settings.ts';
import { journalPath } from '../../../source/session/open-journal.ts';
import { createTestHost } from '../host.ts';

const account = {
	baseUrl: 'https://a.example/v1',
	credentials: { kind: 'token', token: () => 'secret' },
	user: 'a@example.com',
	preferences: preferencesFrom([]),
} as unknown as AccountSettings;

test('doctor lists the settings that a person chose in the monitor, as long as they are in force', () => {
	const { host } = createTestHost();
	expect(keptSettingsCheck(host, account)).toBeUndefined();
	const keeper = createSettingKeeper(journalPath(host), accountKey(account));
	keeper.save('share', { word: 'half', over: 'full', chosenAt: 1 });
	expect(keptSettingsCheck(host, account)).toEqual({
		subject: 'Chosen settings',
		status: 'right',
		finding:
			'share is half (configuration: full), chosen in the monitor and kept in the state folder',
	});
	const preferences = preferencesFrom([{ share: 'quarter' }]);
	expect(keptSettingsCheck(host, { ...account, preferences })).toBeUndefined();
});
