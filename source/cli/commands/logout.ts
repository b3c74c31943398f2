import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isProfileName, profileNameRule } from '../../accounts/config-text.ts';
import { keyText } from '../../accounts/setting-reader.ts';
import { forgetToken } from '../../accounts/token-cache.ts';
import { pathsOf } from '../../session/host.ts';
import { type Command, exitCodes } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import { loadSettings, requireAccount } from '../../shell/load-settings.ts';
import { accountOptions } from '../../shell/options.ts';

export const logout: Command = {
	name: 'logout',
	summary: 'sign out: delete the stored token of a profile',
	options: accountOptions,
	examples: ['crowsnest logout --profile work'],
	async run(host, args) {
		// The profile of --profile may already be gone from the configuration, while its token is still stored.
		const name = args.text('profile') ?? requireAccount(host, loadSettings(host, args)).name;
		if (!isProfileName(name)) throw new UsageError(`${keyText(name)} ${profileNameRule}`);
		const path = join(pathsOf(host).tokensPath, `${name}.json`);
		const hadToken = existsSync(path);
		forgetToken(path);
		host.program.stdout.write(
			hadToken
				? `Signed out: deleted the token of ${name}. The profile stays.\n`
				: `Nothing to do: no token of ${name} is stored.\n`,
		);
		return exitCodes.done;
	},
};
