import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AccountSettings, Settings } from '../accounts/account-settings.ts';
import type { Paths } from '../accounts/paths.ts';
import { isCode, modeText, NotPrivate, refuseOpenState } from '../accounts/private-file.ts';
import { cleanText } from '../platform/clean.ts';
import { problemLines } from './config-settings.ts';
import { type Check, maskedEmail } from './doctor-check.ts';
import type { Host } from './host.ts';

const oldestNode = [20, 19] as const;

export function programCheck({ version, program }: Host): Check {
	const node = program.version;
	const [major = 0, minor = 0] = node.replace(/^v/, '').split('.').map(Number);
	const isRight = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
	const said = `crowsnest ${version} on Node ${node || 'of an unknown version'}, ${program.platform}`;
	if (isRight) return { about: 'Program', state: 'right', said };
	const advice = `It is made for Node ${oldestNode.join('.')} and later.`;
	return { about: 'Program', state: node ? 'wrong' : 'unsure', said, advice };
}

export function configurationChecks(settings: Settings, paths: Paths, home: string): Check[] {
	const about = 'Configuration';
	const path = shortPath(paths.configPath, home);
	const isThere = statSync(paths.configPath, { throwIfNoEntry: false }) !== undefined;
	const where = isThere ? path : `no ${path}, which is fine`;
	if (settings.kind === 'wrong') {
		const said = problemLines(settings.problems, path).split('\n').join('; ');
		const advice = '`crowsnest config --example` shows every setting.';
		return [{ about, state: 'wrong', said, advice }];
	}
	if (settings.kind === 'none') {
		const said = `${where}; no account is configured, so the demo is shown`;
		return [{ about, state: 'unsure', said, advice: '`crowsnest login` sets one up.' }];
	}
	const { account, profiles } = settings;
	const said = `${where}; profiles: ${profiles.map(cleanText).join(', ') || 'none'}`;
	return [
		{ about, state: 'right', said },
		{ about: 'Account', state: 'right', said: accountText(account) },
	];
}

function accountText({ name, baseUrl, proof, preferences }: AccountSettings): string {
	const who =
		proof.kind === 'token'
			? 'a token from the environment'
			: `${maskedEmail(cleanText(proof.email))} at ${proof.authUrl}, password ${passwordText(proof)}`;
	return `${name}: ${baseUrl}, ${who}${preferences.readOnly ? ', read-only' : ''}`;
}

function passwordText(proof: Extract<AccountSettings['proof'], { kind: 'password' }>): string {
	if (proof.password) return 'from the environment';
	return proof.passwordCommand ? 'from a command' : 'typed';
}

/** Who else may read or write what is kept. */
export function fileChecks(paths: Paths, tokenPath: string | undefined, home: string): Check[] {
	const { configPath, statePath, tokensPath } = paths;
	return [
		modeCheck('Config file', configPath, home, 0o022, '600'),
		folderCheck(statePath, home),
		modeCheck('Token folder', tokensPath, home, 0o077, '700'),
		...(tokenPath ? [modeCheck('Token file', tokenPath, home, 0o077, '600')] : []),
	];
}

function modeCheck(
	about: string,
	path: string,
	home: string,
	forbidden: number,
	wanted: string,
): Check {
	const shown = shortPath(path, home);
	try {
		const { mode } = statSync(path);
		const said = `${shown} has mode ${modeText(mode)}`;
		if ((mode & forbidden) === 0) return { about, state: 'right', said };
		const danger = forbidden === 0o022 ? 'others can change it' : 'others can read it';
		const advice = `chmod ${wanted} ${shown}`;
		return { about, state: 'wrong', said: `${said}: ${danger}`, advice };
	} catch (error) {
		if (isCode(error, 'ENOENT')) return { about, state: 'right', said: `no ${shown} yet` };
		return { about, state: 'wrong', said: `${shown}: ${messageOf(error)}` };
	}
}

function folderCheck(path: string, home: string): Check {
	const about = 'State folder';
	const shown = shortPath(path, home);
	try {
		accessSync(nearestThere(path), constants.W_OK | constants.X_OK);
		// The folder of the tokens has a check of its own.
		for (const name of ['journal', 'pace']) refuseOpenState(join(path, name));
		return { about, state: 'right', said: `${shown} can be written to, by nobody else` };
	} catch (error) {
		if (error instanceof NotPrivate) {
			const [said = '', advice] = error.message.split('; ');
			return { about, state: 'wrong', said, ...(advice && { advice }) };
		}
		const advice = 'Make it writable, or name another one in CROWSNEST_STATE_DIR.';
		return { about, state: 'wrong', said: `${shown} cannot be written to`, advice };
	}
}

function nearestThere(path: string): string {
	const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
	return isThere || dirname(path) === path ? path : nearestThere(dirname(path));
}

const shortPath = (path: string, home: string) =>
	home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
