import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isProfileName, profileNameRule, tomlKeyText } from '../../accounts/setting-values.ts';
import { forgetToken } from '../../accounts/token-cache.ts';
import { exitCodes, UsageError } from '../../foundation/error.ts';
import { pathsOf } from '../../session/host.ts';
import { loadSettings, requireAccounts } from '../../session/settings.ts';
import type { Command } from '../command.ts';
import { severalAccountsOptions } from '../options.ts';

export const logout: Command = {
	name: 'logout',
	summary: 'sign out: delete the stored tokens of profiles',
	options: severalAccountsOptions,
	examples: ['crowsnest logout --profile work', 'crowsnest logout --all-profiles'],
	async run(host, args) {
		// The profile of --profile may already be gone from the configuration, while its token is still stored.
		const named = args.list('profile');
		const names =
			named.length > 0 && !args.flag('all-profiles')
				? named
				: requireAccounts(host, loadSettings(host, args)).map(({ name }) => name);
		const wrongName = names.find(name => !isProfileName(name));
		if (wrongName !== undefined)
			throw new UsageError(`${tomlKeyText(wrongName)} ${profileNameRule}`);
		for (const name of names) {
			const path = join(pathsOf(host).tokensPath, `${name}.json`);
			const said = existsSync(path)
				? `Signed out: deleted the token of ${name}. The profile stays.`
				: `Nothing to do: no token of ${name} is stored.`;
			forgetToken(path);
			host.program.stdout.write(`${said}\n`);
		}
		return exitCodes.done;
	},
};
