import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { AccountSettings, LoadedSettings } from '../../accounts/account-settings.ts';
import { accountKey } from '../../accounts/credentials.ts';
import type { HookSettings } from '../../accounts/hook-settings.ts';
import {
	isOwnedByAnother,
	modeText,
	NotPrivate,
	reasonToDistrust,
	refuseWritableByOthers,
} from '../../accounts/private-file.ts';
import { createTokenCache } from '../../accounts/token-cache.ts';
import { phaseOf, type Reading } from '../../fleet/computers/computer.ts';
import {
	accountReadRows,
	isAccountRead,
	type ReadName,
	readNames,
	readRows,
} from '../../fleet/reads.ts';
import { durationText } from '../../foundation/duration.ts';
import { exitCodes, hasCode, messageOf, pathErrorText } from '../../foundation/error.ts';
import type { Failure } from '../../foundation/failure.ts';
import type { Slots } from '../../limits/slots.ts';
import { configuredSettingWords, validSettingChoices } from '../../monitor/live-settings.ts';
import { accountMemory } from '../../monitor/memory.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { PlatformError } from '../../platform/decoding/platform-error.ts';
import type { RequestOptions } from '../../platform/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import { proxyIn, proxyNames, variableIn } from '../../platform/proxy.ts';
import {
	isoTime,
	type JsonFields,
	jsonRecord,
	jsonText,
	type ParsedArgs,
} from '../../script/command.ts';
import { createPasswordQuestions } from '../../script/prompt.ts';
import { createConnection } from '../../session/access.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import {
	loadOwnCommands,
	loadSettings,
	problemLines,
	severalProfilesText,
} from '../../session/settings.ts';
import { loginRefusalFrom } from '../../session/try-account.ts';
import { environmentFrom, reasonForNoScreen } from '../../terminal/features/environment.ts';
import { actions, takenKeyText, withOwnCommands } from '../../views/actions/table.ts';
import { cutListText, repeatedText, unreadableText } from '../../views/frame/rules.ts';
import { cannotReadText } from '../../views/phrases/reads.ts';
import type { Command } from '../command.ts';
import { demoOption, jsonOption, severalAccountsOptions } from '../options.ts';

/** It contains no secrets, so it can go into a bug report. */
type Check = {
	about: string;
	state: 'right' | 'unsure' | 'wrong' | 'skipped';
	said: string;
	/** The profile, if there are several. */
	account?: string;
	advice?: string | undefined;
};

type Found = Omit<Check, 'about' | 'account'>;

const right = (said: string): Found => ({ state: 'right', said });
const skipped = (said: string): Found => ({ state: 'skipped', said });
const unsure = (said: string, advice?: string): Found => ({ state: 'unsure', said, advice });
const wrong = (said: string, advice?: string): Found => ({ state: 'wrong', said, advice });

const checksOf = (about: string, ...found: readonly Found[]): readonly Check[] =>
	found.map(each => ({ about, ...each }));

const doctorFields = {
	version: 'version of crowsnest',
	at: 'time of the check',
	checks:
		'list of the checks; each has the fields about (what was checked), state (right, unsure, wrong or ' +
		'skipped) and said (what was found), and may have account (its profile, if there are several) and advice',
} as const satisfies JsonFields;

export const doctor: Command = {
	name: 'doctor',
	summary: 'check everything that crowsnest needs and say how to fix what is wrong',
	description:
		'Says whether crowsnest works here, and if not, what is wrong and what to do. --verbose and --json\n' +
		'show every check.',
	options: [
		...severalAccountsOptions,
		{ name: 'verbose', help: 'show every check' },
		demoOption,
		jsonOption,
	],
	examples: ['crowsnest doctor', 'crowsnest doctor --all-profiles', 'crowsnest doctor --json'],
	json: { form: 'object', fields: doctorFields },
	async run(host, args) {
		const { stdout, stderr, env } = host.program;
		if (!args.flag('json') && stdout.isTTY && stderr.isTTY)
			stderr.write('Checking this machine, the network and the platform\n');
		const checks = (await allChecks(host, args)).map(each => withTexts(each, cleanText));
		if (args.flag('json')) {
			const at = isoTime(host.clock.now());
			stdout.write(jsonText(jsonRecord(doctorFields, { version: host.version, at, checks })));
		} else {
			const { hasUnicode } = environmentFrom(env);
			stdout.write(`${reportOf(checks, args.flag('verbose'), hasUnicode)}\n`);
		}
		return checks.some(({ state }) => state === 'wrong') ? exitCodes.failed : exitCodes.done;
	},
};

const withTexts = (each: Check, change: (text: string) => string): Check => ({
	...each,
	said: change(each.said),
	advice: each.advice && change(each.advice),
});

/**
 * Begins with the answer: the gravest problem and the advice for it. Then come the other problems, or every check.
 *
 * ```
 * ✖ Sign-in: id.example.com refuses this e-mail address with this password
 *   → Check the e-mail address and the password: either may be wrong.
 * ```
 */
function reportOf(checks: readonly Check[], isVerbose: boolean, hasUnicode: boolean): string {
	const signs = hasUnicode
		? { right: '✔', unsure: '!', wrong: '✖', skipped: '-' }
		: { right: '+', unsure: '!', wrong: 'x', skipped: '-' };
	const arrow = hasUnicode ? '→' : '->';
	const named = ({ account, said }: Check) => (account ? `${account}: ${said}` : said);
	const [first, ...others] = [
		...checks.filter(({ state }) => state === 'wrong'),
		...checks.filter(({ state, advice }) => state === 'unsure' && advice),
	];
	const lines: string[] = [];
	if (!first) lines.push(`${signs.right} crowsnest works`);
	else {
		const works = first.state === 'wrong' ? '' : 'crowsnest works. ';
		lines.push(`${signs[first.state]} ${works}${first.about}: ${named(first)}`);
		if (first.advice) lines.push(`  ${arrow} ${first.advice}`);
		if (others.length > 0) lines.push(`  ${others.length} more below`);
	}
	const listed = isVerbose ? checks : others;
	if (listed.length > 0) lines.push('');
	for (const each of listed) {
		const { about, state, advice } = each;
		const judged = state === 'right' ? '' : `${state}: `;
		lines.push(`${signs[state]} ${about.padEnd(17)} ${judged}${named(each)}`);
		if (advice) lines.push(`${' '.repeat(20)}${arrow} ${advice}`);
	}
	if (!isVerbose) lines.push('', 'crowsnest doctor --verbose shows every check');
	return lines.join('\n');
}

/** This machine is checked before the platform, so that the first failure explains those after it. */
async function allChecks(host: Host, args: ParsedArgs): Promise<readonly Check[]> {
	const settings = loadSettings(host, args);
	const accounts = settings.kind === 'accounts' ? settings.accounts : [];
	const isInsecure = host.program.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
	const proxy = proxyFound(host);
	const checks = [
		...checksOf('Program', programFound(host)),
		...checksOf('Configuration', configurationFound(host, settings)),
		...checksOf('Account', ...accounts.map(each => right(accountText(each)))),
		...checksOf('Hooks', ...(settings.kind === 'accounts' ? hooksFound(host, settings.hooks) : [])),
		...checksOf('Own commands', ...ownCommandsFound(host)),
		...fileChecks(host, accounts[0]?.tokenPath),
		...checksOf('Proxy', proxy),
		...checksOf('Certificates', ...(isInsecure ? [insecure] : [])),
		...checksOf('Platform', ...(accounts.length > 0 ? [] : [skipped('no account is configured')])),
	];
	for (const account of proxy.state === 'wrong' ? [] : accounts) {
		const isOneOfSeveral = accounts.length > 1;
		const found = await accountChecks(host, account, isOneOfSeveral);
		checks.push(...found.map(each => (isOneOfSeveral ? { ...each, account: account.name } : each)));
	}
	return [...checks, ...(await terminalChecks(host))];
}

const insecure = wrong(
	'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: others on the network can read the password',
	'Unset the variable, and name your certificate authority in NODE_EXTRA_CA_CERTS instead.',
);

function programFound({ version, program }: Host): Found {
	const [major = 0, minor = 0] = program.version.replace(/^v/, '').split('.').map(Number);
	const said = `crowsnest ${version} on Node ${program.version || 'of an unknown version'}, ${program.platform}`;
	if (major > 20 || (major === 20 && minor >= 19)) return right(said);
	return (program.version ? wrong : unsure)(said, 'Install Node 20.19 or later.');
}

const exampleAdvice = '`crowsnest config --example` shows every setting.';

function configurationFound(host: Host, settings: LoadedSettings): Found {
	const { configPath } = pathsOf(host);
	const path = shortPath(configPath, host);
	const place = existsSync(configPath) ? path : `no ${path} (not required)`;
	switch (settings.kind) {
		case 'wrong':
			return wrong(problemLines(settings.problems, path).replaceAll('\n', '; '), exampleAdvice);
		case 'none': {
			const said = `${place}; no account is configured, so the monitor shows the demo`;
			return unsure(said, 'Run `crowsnest login` to set one up.');
		}
		case 'choice':
			return unsure(`${place}; ${severalProfilesText(settings.profiles)}`);
		case 'accounts': {
			const names = settings.profiles.map(({ name }) => name).join(', ');
			return right(`${place}; profiles: ${names || 'none'}`);
		}
	}
}

function accountText({ name, baseUrl, credentials, preferences }: AccountSettings): string {
	const readOnly = preferences.readOnly ? ', read-only' : '';
	if (credentials.kind === 'token') {
		const from = name === 'environment' ? 'from the environment' : 'that is stored';
		return `${name}: ${baseUrl}, a token ${from}${readOnly}`;
	}
	const { email, authUrl, password, passwordCommand } = credentials;
	const typed = passwordCommand ? 'from a command' : 'typed when needed';
	const source = password ? 'from the environment' : typed;
	return `${name}: ${baseUrl}, ${maskedEmail(email)} at ${authUrl}, password ${source}${readOnly}`;
}

/** Shortens `owner@example.com` to `o…@example.com`. */
function maskedEmail(email: string): string {
	const at = email.lastIndexOf('@');
	return at < 1 ? '…' : `${email.slice(0, 1)}…${email.slice(at)}`;
}

const shortPath = (path: string, { home }: Host) =>
	home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

function hooksFound(host: Host, { hooks, problems }: HookSettings): readonly Found[] {
	if (hooks.length === 0 && problems.length === 0) return [];
	const { configPath } = pathsOf(host);
	const distrust = reasonToDistrust(configPath);
	if (distrust !== undefined) return [wrong(`none runs: ${distrust}`)];
	const path = shortPath(configPath, host);
	return [
		...problems.map(each => wrong(`not used: ${problemLines([each], path)}`, exampleAdvice)),
		...hooks.map(({ command: [program = ''], on }) => {
			const said = `${on.join(', ')} → ${program}`;
			return isProgram(program, host) ? right(said) : wrong(`${said}: ${missingText(program)}`);
		}),
	];
}

const missingText = (program: string) => `there is no program ${program}`;

function ownCommandsFound(host: Host): readonly Found[] {
	const { commands, problems, barredBecause } = loadOwnCommands(host);
	if (barredBecause !== undefined) return [wrong(barredBecause)];
	const path = shortPath(pathsOf(host).configPath, host);
	const mistakes = [
		...problems.map(problem => problemLines([problem], path)),
		...withOwnCommands(actions, commands).withoutKey.map(takenKeyText),
	];
	const names: string[] = [];
	const missing: Found[] = [];
	for (const { name, program } of commands) {
		const file = program.type === 'shell' ? '/bin/sh' : (program.words[0] ?? '');
		if (isProgram(file, host)) names.push(name);
		else missing.push(wrong(`${name}: ${missingText(file)}`));
	}
	return [
		...mistakes.map(said => wrong(said, exampleAdvice)),
		...missing,
		...(names.length > 0 ? [right(names.join(', '))] : []),
	];
}

function isProgram(name: string, { program }: Host): boolean {
	const folders = name.includes('/') ? [''] : (program.env['PATH'] ?? '').split(delimiter);
	return folders.some(folder => {
		const path = folder === '' ? name : join(folder, name);
		try {
			accessSync(path, constants.X_OK);
			return statSync(path).isFile();
		} catch {
			return false;
		}
	});
}

function fileChecks(host: Host, tokenPath: string | undefined): readonly Check[] {
	const { configPath, statePath, tokensPath } = pathsOf(host);
	const kept = ['log', 'limits'].map(name => modeFound(host, join(statePath, name), 0o077, '700'));
	const earlier = ['journal', 'profiles.json', 'welcomed']
		.map(name => join(statePath, name))
		.filter(path => existsSync(path))
		.map(path => shortPath(path, host));
	return [
		...checksOf('Config file', modeFound(host, configPath, 0o022, '600')),
		...checksOf('State folder', stateFolderFound(host, statePath)),
		...checksOf('Token folder', modeFound(host, tokensPath, 0o077, '700')),
		...checksOf('Token file', ...(tokenPath ? [modeFound(host, tokenPath, 0o077, '600')] : [])),
		...checksOf('Kept files', ...kept.filter(({ state }) => state === 'wrong')),
		...checksOf(
			'Earlier files',
			...earlier.map(path =>
				unsure(`${path} is from an earlier build and is not read`, `Remove ${path}.`),
			),
		),
	];
}

function modeFound(host: Host, path: string, forbidden: number, mode: string): Found {
	const shown = shortPath(path, host);
	try {
		const found = statSync(path);
		if (forbidden === 0o077 && isOwnedByAnother(found.uid)) {
			const advice = `Remove ${shown}, or set CROWSNEST_STATE_DIR to another folder.`;
			return wrong(`${shown} belongs to another user`, advice);
		}
		const said = `${shown} has mode ${modeText(found.mode)}`;
		if ((found.mode & forbidden) === 0) return right(said);
		const danger = forbidden === 0o022 ? 'others can change it' : 'others can read it';
		return wrong(`${said}: ${danger}`, `chmod ${mode} ${shown}`);
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return right(`no ${shown} yet`);
		return wrong(pathErrorText(shown, error));
	}
}

function stateFolderFound(host: Host, path: string): Found {
	const shown = shortPath(path, host);
	try {
		accessSync(nearestExistingFolder(path), constants.W_OK | constants.X_OK);
		refuseWritableByOthers(path);
		return right(`${shown} is writable only by you`);
	} catch (error) {
		if (error instanceof NotPrivate) {
			const [said = '', advice] = error.message.split('; ');
			return wrong(said, advice);
		}
		const advice = 'Make the folder writable, or set CROWSNEST_STATE_DIR to another folder.';
		return wrong(`${shown} is not writable`, advice);
	}
}

const nearestExistingFolder = (path: string): string =>
	existsSync(path) || dirname(path) === path ? path : nearestExistingFolder(dirname(path));

/** Names the proxy of the environment without its password. */
function proxyFound({ program: { env } }: Host): Found {
	try {
		const proxies = proxyNames.flatMap(name => {
			const proxy = proxyIn(env, name);
			return proxy ? [`${name} is ${proxy.host}`] : [];
		});
		if (proxies.length === 0) return right('none: connections are direct');
		const { text: directHosts } = variableIn(env, 'NO_PROXY');
		const direct = directHosts ? [`not for ${directHosts}`] : [];
		return right([...proxies, ...direct].join(', '));
	} catch (error) {
		return wrong(messageOf(error));
	}
}

/** The first read that fails tells what is wrong with the network or the certificate. */
async function accountChecks(
	host: Host,
	account: AccountSettings,
	isNamed: boolean,
): Promise<readonly Check[]> {
	const tokenProblems: string[] = [];
	const interrupted = new AbortController();
	const { credentials } = account;
	const hasOwnPassword =
		credentials.kind === 'password' && Boolean(credentials.password ?? credentials.passwordCommand);
	const tokenCache = createTokenCache(account, message => tokenProblems.push(message));
	let isSignedIn = credentials.kind === 'token';
	const connection = await createConnection(host, account, {
		// A password of the configuration is tested, not replaced by a typed one or by a stored token.
		askForPassword: hasOwnPassword
			? undefined
			: createPasswordQuestions(host.program, isNamed).askFor(account),
		tokenCache: hasOwnPassword ? { ...tokenCache, load: () => undefined } : tokenCache,
		onInterrupted: reason => interrupted.abort(reason),
		onProblem: message => tokenProblems.push(message),
		onSignedIn() {
			isSignedIn = true;
		},
	});
	const { limiter, redaction } = connection;
	const checks = [...checksOf('Chosen settings', ...chosenSettingsFound(host, account))];
	const add = (about: string, ...found: readonly Found[]) =>
		checks.push(...checksOf(about, ...found));
	try {
		let computer: Reading | undefined;
		// The list comes first, and therefore also signs in.
		const list = await tryRead(host, connection, 'list', async (platform, request) => {
			const answer = await platform.listComputers(request);
			computer = answer.computers[0];
			return listContents(answer);
		});
		if (list.wasSent) {
			interrupted.signal.throwIfAborted();
			add('Sign-in', signInFound(account, isSignedIn, list.failure));
			add('Token', ...tokenProblems.map(said => unsure(said)));
		}
		if (isSignedIn || !list.wasSent) add(readRows.list.title, list.found);
		if (isSignedIn && list.found.state !== 'wrong') {
			for (const read of readNames) {
				if (read === 'list') continue;
				const id = computer?.id;
				const { found } =
					id === undefined && !isAccountRead(read)
						? { found: skipped('there is no computer to read') }
						: await tryRead(host, connection, read, async (platform, request) =>
								right(await contentsOf(read, platform, request, id ?? '')),
							);
				add(readRows[read].title, found);
			}
			const { status, other, create } = limiter.slots();
			const left = ({ free, limit }: Slots) => `${free.operation} of ${limit}`;
			const minute = `left this minute: reads ${left(other)}, statuses ${left(status)}`;
			add('Rate limits', right(`${minute}; creations this hour: ${left(create)}`));
		}
		return checks.map(each => withTexts(each, redaction.redact));
	} finally {
		await connection.close();
	}
}

/** They win over the configuration. */
function chosenSettingsFound(host: Host, account: AccountSettings): readonly Found[] {
	const kept = accountMemory(host, [accountKey(account)]).read().settings ?? {};
	const choices = validSettingChoices(kept, configuredSettingWords([account.preferences]));
	if (choices.size === 0) return [];
	const texts = [...choices].map(
		([name, { word, over }]) => `${name} is ${word} (configuration: ${over})`,
	);
	return [right(`${texts.join('; ')}, chosen in the monitor and kept in the state folder`)];
}

function signInFound(
	account: AccountSettings,
	isSignedIn: boolean,
	failure: Failure | undefined,
): Found {
	const { credentials } = account;
	if (credentials.kind === 'token') {
		if (failure?.kind !== 'auth') return right('with a token');
		const advice = 'Set CROWSNEST_TOKEN to a new token, or run `crowsnest login --token`.';
		return wrong('the platform refuses the token', advice);
	}
	if (isSignedIn) return right(`as ${maskedEmail(credentials.email)}`);
	if (failure === undefined || failure.kind === 'cancelled')
		return skipped('no sign-in was needed');
	const { message, advice } = loginRefusalFrom(failure, 'identity', account);
	return wrong(message, advice);
}

async function contentsOf(
	read: Exclude<ReadName, 'list'>,
	platform: Platform,
	request: RequestOptions,
	id: string,
): Promise<string> {
	if (isAccountRead(read)) {
		const contents = accountReadRows[read].contents as (answer: unknown) => string;
		return contents(await platform[read](request));
	}
	const send = read === 'status' ? platform.readStatus : platform.readComputer;
	return fieldsText([await send(id, request)]);
}

/** What is odd about the list comes last, and the advice is about the last oddity. */
function listContents(list: Awaited<ReturnType<Platform['listComputers']>>): Found {
	const { computers, requestCount, unreadable, repeated, isCut } = list;
	const pages = requestCount > 1 ? ` on ${requestCount} pages` : '';
	const strange = new Set(
		computers
			.flatMap(({ status }) => status ?? [])
			.filter(each => phaseOf(each) === 'unknown')
			.map(each => cleanText(each)),
	);
	const oddities = [
		strange.size > 0 && {
			said: `unknown statuses: ${[...strange].join(', ')}`,
			advice: 'The monitor shows these statuses as the platform spells them.',
		},
		unreadable && {
			said: unreadableText(unreadable),
			advice:
				'No command shows these records, because they have no id that is text without invisible characters.',
		},
		repeated && {
			said: repeatedText(repeated),
			advice: 'Each id has one row. The platform should give each computer an id of its own.',
		},
		isCut && {
			said: cutListText,
			advice: 'The platform sends the same pages again, or one page after another without end.',
		},
	].flatMap(each => each || []);
	const contents = `${computers.length} computers${pages}, ${fieldsText(computers)}`;
	const said = [contents, ...oddities.map(each => each.said)].join('; ');
	return oddities.length > 0 ? unsure(said, oddities.at(-1)?.advice) : right(said);
}

function fieldsText(readings: readonly Reading[]): string {
	const fields = readings.flatMap(reading => Object.entries(reading));
	const names = new Set(fields.flatMap(([name, value]) => (value === null ? [] : [name])));
	return `with ${[...names].join(' ') || 'no fields'}`;
}

// A used-up rate limit may need a minute to recover, and a person needs time to type a password.
const longestReadMs = 100_000;

async function tryRead(
	{ clock }: Host,
	{ platform, limiter }: Awaited<ReturnType<typeof createConnection>>,
	read: ReadName,
	send: (platform: Platform, request: RequestOptions) => Promise<Found>,
): Promise<{ found: Found; wasSent: boolean; failure?: Failure }> {
	const until = limiter.slots()[readRows[read].scope].frozenUntil;
	if (until !== undefined) {
		const left = durationText(until - clock.now());
		const said = `${cannotReadText(read)}: the platform accepts no requests for ${left} (rate limit)`;
		const advice = 'crowsnest sends nothing before then. Try again afterwards.';
		return { wasSent: false, found: wrong(said, advice) };
	}
	const late = new AbortController();
	const cancelTimer = clock.after(longestReadMs, () => late.abort());
	const startedAt = clock.now();
	try {
		const found = await send(platform, { signal: late.signal, priority: 'operation' });
		const time = `answered in ${Math.max(1, Math.round(clock.now() - startedAt))} ms`;
		return { wasSent: true, found: { ...found, said: `${time}; ${found.said}` } };
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		const { failure } = error;
		const isCancelled = failure.kind === 'cancelled';
		const said = isCancelled
			? `${cannotReadText(read)}: other requests have used up the rate limit`
			: `${cannotReadText(read)}: ${failure.message}`;
		const advice = isCancelled ? 'Try again in a minute.' : failure.advice;
		return { wasSent: true, failure, found: wrong(said, advice) };
	} finally {
		cancelTimer();
	}
}

async function terminalChecks({ program, clock }: Host): Promise<readonly Check[]> {
	const { env, stdin, stdout } = program;
	if (!stdin.isTTY || !stdout.isTTY)
		return checksOf('Terminal', skipped('the input or the output is not a terminal'));
	const refusal = reasonForNoScreen(env, stdin, stdout);
	if (refusal !== undefined) {
		const advice = 'The monitor needs a terminal; the other commands do not.';
		return checksOf('Terminal', unsure(refusal, advice));
	}
	const features = environmentFrom(env);
	const isInTmux = features.multiplexer === 'tmux';
	const tmux = isInTmux ? await askTmux(env, clock) : undefined;
	return [
		...checksOf('Terminal size', sizeFound(stdout)),
		...checksOf('Colours', colourFound(features.colourBits, env['NO_COLOR'])),
		...checksOf('UTF-8', unicodeFound(features)),
		...checksOf('tmux', ...(isInTmux ? [tmuxFound(tmux)] : [])),
		...checksOf('Clipboard', clipboardFound(features, env, tmux)),
	];
}

function sizeFound({ columns, rows }: { columns: number; rows: number }): Found {
	const size = `${columns} × ${rows}`;
	const advice = 'Make the terminal at least 30 × 6. At 120 × 40 everything is visible.';
	if (columns < 30 || rows < 6) return wrong(size, advice);
	return right(columns < 120 ? `${size}; some columns are hidden` : size);
}

type Features = ReturnType<typeof environmentFrom>;

function colourFound(bits: Features['colourBits'], noColour: string | undefined): Found {
	if (bits > 0) return right({ 0: 'none', 4: '16', 8: '256', 24: 'all' }[bits]);
	if (noColour) return right('none, because NO_COLOR is set');
	return unsure('none', 'Set TERM to the type of your terminal, such as xterm-256color.');
}

function unicodeFound({ hasUnicode, printsUnknownSequences }: Features): Found {
	if (hasUnicode) return right('yes');
	if (printsUnknownSequences) return right('no: the console shows ASCII');
	return unsure('no: symbols are drawn in ASCII', 'Set LANG to a UTF-8 locale, such as C.UTF-8.');
}

type TmuxSettings = { focusEvents: string; allowPassthrough: string; setClipboard: string };

function askTmux(env: NodeJS.ProcessEnv, clock: Host['clock']): Promise<TmuxSettings | undefined> {
	const format = '#{focus-events} #{allow-passthrough} #{set-clipboard}';
	return new Promise(resolve => {
		const child = execFile('tmux', ['display-message', '-p', format], { env }, (error, stdout) => {
			cancelTimer();
			const [, focusEvents = '', allowPassthrough = '', setClipboard] =
				/^(\w*) (\w*) (on|off|external)\s*$/.exec(error ? '' : stdout) ?? [];
			resolve(setClipboard ? { focusEvents, allowPassthrough, setClipboard } : undefined);
		});
		const cancelTimer = clock.after(2000, () => child.kill());
	});
}

const isOn = (word: string) => /^(on|1|all)$/.test(word);
const onOff = (word: string) => (isOn(word) ? 'on' : 'off');

function tmuxFound(settings: TmuxSettings | undefined): Found {
	if (settings === undefined) return unsure('tmux does not report its settings');
	const { focusEvents, allowPassthrough, setClipboard } = settings;
	const said = `focus-events ${onOff(focusEvents)}, allow-passthrough ${onOff(allowPassthrough)}, set-clipboard ${setClipboard}`;
	const missing = [
		...(isOn(focusEvents) ? [] : ['set -g focus-events on']),
		...(isOn(allowPassthrough) ? [] : ['set -g allow-passthrough on']),
	];
	if (missing.length === 0) return right(said);
	return unsure(said, `Add to ~/.tmux.conf: ${missing.join('; ')}`);
}

function clipboardFound(
	{ printsUnknownSequences, terminalName }: Features,
	env: NodeJS.ProcessEnv,
	tmux: TmuxSettings | undefined,
): Found {
	const advice = 'Select ids and addresses with the mouse instead.';
	if (printsUnknownSequences) return unsure('the console has no clipboard', advice);
	if (terminalName === 'Apple_Terminal' || env['VTE_VERSION'])
		return unsure('this terminal does not support copying (OSC 52)', advice);
	if (tmux && tmux.setClipboard !== 'on' && !isOn(tmux.allowPassthrough)) {
		const said = `tmux blocks copying (set-clipboard ${tmux.setClipboard})`;
		return unsure(said, 'Add to ~/.tmux.conf: set -s set-clipboard on');
	}
	return right('copies with OSC 52; some terminals need it enabled in their settings');
}
