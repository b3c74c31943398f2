import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isProfileName, profileNameRule } from '../../accounts/config-text.ts';
import { keyText } from '../../accounts/setting-reader.ts';
import { forgetToken } from '../../accounts/token-cache.ts';
import { pathsOf } from '../../session/host.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import { loadSettings, requireAccount } from '../../shell/load-settings.ts';

/** Forgets the token that is kept. A profile that is named needs no configuration for that. */
export const logout: Run = async (host, args) => {
	const name = args.text('profile') ?? requireAccount(host, loadSettings(host, args)).name;
	if (!isProfileName(name)) throw new UsageError(`${keyText(name)} ${profileNameRule}`);
	const path = join(pathsOf(host).tokensPath, `${name}.json`);
	const wasThere = existsSync(path);
	forgetToken(path);
	host.program.stdout.write(
		wasThere
			? `Signed out: the token of ${name} is forgotten. Its profile stays.\n`
			: `No token of ${name} was kept.\n`,
	);
	return exitCodes.done;
};
