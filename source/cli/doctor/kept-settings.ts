import type { AccountSettings } from '../../accounts/account-settings.ts';
import { accountKey } from '../../accounts/credentials.ts';
import { createSettingKeeper, validSettingChoices } from '../../accounts/kept-settings.ts';
import { configuredSettingWords } from '../../accounts/live-settings.ts';
import type { Host } from '../../session/host.ts';
import { journalPath } from '../../session/open-journal.ts';
import type { Check } from './check.ts';

/** Lists the settings that a person chose in the monitor; undefined if all come from the configuration. */
export function keptSettingsCheck(host: Host, account: AccountSettings): Check | undefined {
	const kept = createSettingKeeper(journalPath(host), accountKey(account)).restore();
	const choices = validSettingChoices(kept, configuredSettingWords([account.preferences]));
	if (choices.size === 0) return undefined;
	const texts = [...choices].map(
		([name, { word, over }]) => `${name} is ${word} (configuration: ${over})`,
	);
	return {
		subject: 'Chosen settings',
		status: 'right',
		finding: `${texts.join('; ')}, chosen in the monitor and kept in the state folder`,
	};
}
