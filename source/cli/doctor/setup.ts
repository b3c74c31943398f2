import { statSync } from 'node:fs';
import type { AccountSettings, Settings } from '../../accounts/account-settings.ts';
import type { Paths } from '../../accounts/paths.ts';
import { cleanText } from '../../platform/clean.ts';
import type { Host } from '../../session/host.ts';
import { problemLines } from '../../shell/load-settings.ts';
import { type Check, maskedEmail, shortPath } from './check.ts';

const oldestNode = [20, 19] as const;

export function programCheck({ version, program }: Host): Check {
	const node = program.version;
	const [major = 0, minor = 0] = node.replace(/^v/, '').split('.').map(Number);
	const isRight = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
	const said = `crowsnest ${version} on Node ${node || 'of an unknown version'}, ${program.platform}`;
	if (isRight) return { about: 'Program', state: 'right', said };
	const advice = `Install Node ${oldestNode.join('.')} or later.`;
	return { about: 'Program', state: node ? 'wrong' : 'unsure', said, advice };
}

export function configurationChecks(settings: Settings, paths: Paths, home: string): Check[] {
	const about = 'Configuration';
	const path = shortPath(paths.configPath, home);
	const isThere = statSync(paths.configPath, { throwIfNoEntry: false }) !== undefined;
	const where = isThere ? path : `no ${path} (not required)`;
	if (settings.kind === 'wrong') {
		const said = problemLines(settings.problems, path).split('\n').join('; ');
		const advice = '`crowsnest config --example` shows every setting.';
		return [{ about, state: 'wrong', said, advice }];
	}
	if (settings.kind === 'none') {
		const said = `${where}; no account is configured, so the monitor shows the demo`;
		return [{ about, state: 'unsure', said, advice: 'Run `crowsnest login` to set one up.' }];
	}
	const { account, profiles } = settings;
	const said = `${where}; profiles: ${profiles.map(cleanText).join(', ') || 'none'}`;
	return [
		{ about, state: 'right', said },
		{ about: 'Account', state: 'right', said: accountText(account) },
	];
}

function accountText({ name, baseUrl, credentials, preferences }: AccountSettings): string {
	const identity =
		credentials.kind === 'token'
			? 'a token from the environment'
			: `${maskedEmail(cleanText(credentials.email))} at ${credentials.authUrl}, password ${passwordText(credentials)}`;
	return `${name}: ${baseUrl}, ${identity}${preferences.readOnly ? ', read-only' : ''}`;
}

function passwordText(
	credentials: Extract<AccountSettings['credentials'], { kind: 'password' }>,
): string {
	if (credentials.password) return 'from the environment';
	return credentials.passwordCommand ? 'from a command' : 'typed when needed';
}
