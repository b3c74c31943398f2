import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { AccountSettings, LoadedSettings } from '../../accounts/account-settings.ts';
import { accountKey } from '../../accounts/credentials.ts';
import {
	modeText,
	reasonToDistrust,
	refuseShared,
	refuseWritableByOthers,
} from '../../accounts/private-file.ts';
import { createTokenCache } from '../../accounts/token-cache.ts';
import { phaseOf, type Reading } from '../../fleet/computers/computer.ts';
import {
	accountReadRows,
	isComputerRead,
	type ReadName,
	readNames,
	readRows,
} from '../../fleet/reads.ts';
import { durationText } from '../../foundation/duration.ts';
import { exitCodes, hasCode, messageOf, pathErrorText } from '../../foundation/error.ts';
import type { Failure } from '../../foundation/failure.ts';
import { isoTime, type JsonFields, jsonRecord, jsonText } from '../../foundation/json.ts';
import type { Slots } from '../../limits/limiter.ts';
import { withAsciiSigns } from '../../lines/ascii.ts';
import { checkAllKeys, mistakesIn } from '../../monitor/configuration.ts';
import { configuredSettingWords, validSettingChoices } from '../../monitor/live-settings.ts';
import { accountMemory } from '../../monitor/memory.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { createFailure, failureIn } from '../../platform/decoding/platform-error.ts';
import { type ReadFact, type ReadResult, sendRead } from '../../platform/platform.ts';
import { proxyIn, proxyNames, variableIn } from '../../platform/proxy.ts';
import type { ParsedArgs } from '../../script/parsed-args.ts';
import { createPasswordQuestions } from '../../script/prompt.ts';
import { labelAmong } from '../../script/read-accounts.ts';
import { createConnection } from '../../session/access.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { loadOwnCommands, loadSettings, severalProfilesText } from '../../session/settings.ts';
import { loginRefusalFrom } from '../../session/try-account.ts';
import { environmentFrom, reasonForNoScreen } from '../../terminal/features/environment.ts';
import { textsOfListNotes } from '../../views/frame/rules.ts';
import { cannotReadText } from '../../views/phrases/reads.ts';
import type { Command } from '../command.ts';
import { demoOption, jsonOption, severalAccountsOptions } from '../options.ts';

/** Without secrets, so it can go into a bug report. */
type Check = {
	about: string;
	state: keyof typeof signs;
	said: string;
	account?: string;
	advice?: string;
};

const signs = { right: '✔', unsure: '!', wrong: '✖', skipped: '-' };

const checkIn =
	(state: Check['state']) =>
	(about: string, said: string, advice?: string): Check => ({
		about,
		state,
		said: cleanText(said),
		advice: advice && cleanText(advice),
	});

const right = checkIn('right');
const unsure = checkIn('unsure');
const wrong = checkIn('wrong');
const skipped = checkIn('skipped');

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
		const checks = await allChecks(host, args);
		if (args.flag('json')) {
			const at = isoTime(host.clock.now());
			stdout.write(jsonText(jsonRecord(doctorFields, { version: host.version, at, checks })));
		} else {
			const report = reportOf(checks, args.flag('verbose'));
			const { hasUnicode } = environmentFrom(env);
			stdout.write(`${hasUnicode ? report : withAsciiSigns(report)}\n`);
		}
		return checks.some(({ state }) => state === 'wrong') ? exitCodes.failed : exitCodes.done;
	},
};

/** The gravest problem, then the others, or every check. */
function reportOf(checks: readonly Check[], isVerbose: boolean): string {
	const named = ({ account, said }: Check) => (account ? `${account}: ${said}` : said);
	const [first, ...others] = [
		...checks.filter(({ state }) => state === 'wrong'),
		...checks.filter(({ state, advice }) => state === 'unsure' && advice),
	];
	const lines = [`${signs.right} crowsnest works`];
	if (first) {
		const works = first.state === 'wrong' ? '' : 'crowsnest works. ';
		lines[0] = `${signs[first.state]} ${works}${first.about}: ${named(first)}`;
		if (first.advice) lines.push(`  → ${first.advice}`);
		if (others.length > 0) lines.push(`  ${others.length} more below`);
	}
	const listed = isVerbose ? checks : others;
	if (listed.length > 0) lines.push('');
	for (const each of listed) {
		const judged = each.state === 'right' ? '' : `${each.state}: `;
		lines.push(`${signs[each.state]} ${each.about.padEnd(17)} ${judged}${named(each)}`);
		if (each.advice) lines.push(`${' '.repeat(20)}→ ${each.advice}`);
	}
	if (!isVerbose) lines.push('', 'crowsnest doctor --verbose shows every check');
	return lines.join('\n');
}

/** This machine first, so that the first failure explains those after it. */
async function allChecks(host: Host, args: ParsedArgs): Promise<readonly Check[]> {
	const settings = loadSettings(host, args);
	const accounts = settings.kind === 'accounts' ? settings.accounts : [];
	const proxy = proxyCheck(host);
	const checks = [
		programCheck(host),
		configurationCheck(host, settings),
		...accounts.map(accountCheck),
		...programChecks(host, settings),
		...fileChecks(host, accounts),
		proxy,
	];
	if (host.program.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') checks.push(insecure);
	if (accounts.length === 0) checks.push(skipped('Platform', 'no account is configured'));
	for (const account of proxy.state === 'wrong' ? [] : accounts) {
		const label = labelAmong(accounts, account);
		const found = await platformChecks(host, account, label !== undefined);
		checks.push(...found.map(each => ({ ...each, account: label })));
	}
	return [...checks, ...(await terminalChecks(host))];
}

const insecure = wrong(
	'Certificates',
	'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: others on the network can read the password',
	'Unset the variable, and name your certificate authority in NODE_EXTRA_CA_CERTS instead.',
);

function programCheck({ version, program }: Host): Check {
	const [major = 0, minor = 0] = program.version.replace(/^v/, '').split('.').map(Number);
	const said = `crowsnest ${version} on Node ${program.version}, ${program.platform}`;
	const isNewEnough = major > 20 || (major === 20 && minor >= 19);
	return isNewEnough
		? right('Program', said)
		: wrong('Program', said, 'Install Node 20.19 or later.');
}

const exampleAdvice = '`crowsnest config --example` shows every setting.';

const shortPath = (path: string, { home }: Host) =>
	home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

function configurationCheck(host: Host, settings: LoadedSettings): Check {
	const { configPath } = pathsOf(host);
	const path = shortPath(configPath, host);
	const place = existsSync(configPath) ? path : `no ${path} (not required)`;
	const about = 'Configuration';
	const mistakes = mistakesIn(host, settings, checkAllKeys).join('; ').replaceAll('\n', '; ');
	if (settings.kind === 'wrong' || mistakes !== '')
		return wrong(about, mistakes.replaceAll(configPath, path), exampleAdvice);
	if (settings.kind === 'none') {
		const said = `${place}; no account is configured, so the monitor shows the demo`;
		return unsure(about, said, 'Run `crowsnest login` to set one up.');
	}
	if (settings.kind === 'choice')
		return unsure(about, `${place}; ${severalProfilesText(settings.profiles)}`);
	const names = settings.profiles.map(({ name }) => name).join(', ');
	return right(about, `${place}; profiles: ${names || 'none'}`);
}

function accountCheck({ name, baseUrl, credentials, preferences }: AccountSettings): Check {
	const readOnly = preferences.readOnly ? ', read-only' : '';
	const signedIn = (how: string) => right('Account', `${name}: ${baseUrl}, ${how}${readOnly}`);
	if (credentials.kind === 'token')
		return signedIn(
			`a token ${name === 'environment' ? 'from the environment' : 'that is stored'}`,
		);
	const { email, authUrl, password, passwordCommand } = credentials;
	const typed = passwordCommand ? 'from a command' : 'typed when needed';
	const source = password ? 'from the environment' : typed;
	return signedIn(`${maskedEmail(email)} at ${authUrl}, password ${source}`);
}

/** Shortens `owner@example.com` to `o…@example.com`. */
const maskedEmail = (email: string) => email.replace(/(?<=^.).*(?=@)|^[^@]*$/su, '…');

function programChecks(host: Host, settings: LoadedSettings): readonly Check[] {
	const hooks = settings.kind === 'accounts' ? settings.hooks.hooks : [];
	const { commands, barredBecause } = loadOwnCommands(host);
	const distrust = hooks.length > 0 ? reasonToDistrust(pathsOf(host).configPath) : undefined;
	const barred = barredBecause ?? (distrust && `Hooks do not run: ${distrust}`);
	if (barred !== undefined) return [wrong('Programs', barred)];
	return [
		...hooks.map(({ command: [program = ''], on }) =>
			runnableCheck(host, 'Hooks', `${on.join(', ')} → ${program}`, program),
		),
		...commands.map(({ name, program }) => {
			const file = program.type === 'words' ? (program.words[0] ?? '') : '/bin/sh';
			return runnableCheck(host, 'Own commands', name, file);
		}),
	];
}

function runnableCheck({ program: { env } }: Host, about: string, said: string, name: string) {
	const paths = name.includes('/')
		? [name]
		: (env['PATH'] ?? '').split(delimiter).map(folder => join(folder, name));
	const isProgram = paths.some(
		path => isAccessible(path, constants.X_OK) && statSync(path).isFile(),
	);
	return isProgram ? right(about, said) : wrong(about, `${said}: there is no program ${name}`);
}

function isAccessible(path: string, mode: number): boolean {
	try {
		accessSync(path, mode);
		return true;
	} catch {
		return false;
	}
}

function fileChecks(host: Host, accounts: readonly AccountSettings[]): readonly Check[] {
	const { configPath, statePath, tokensPath } = pathsOf(host);
	const inState = (...names: readonly string[]) => names.map(name => join(statePath, name));
	const kept = inState('log', 'limits').map(path => fileCheck(host, 'Kept files', path, 0o700));
	const earlier = inState('journal', 'profiles.json', 'welcomed').filter(existsSync);
	return [
		fileCheck(host, 'Config file', configPath),
		stateFolderCheck(host, statePath),
		fileCheck(host, 'Token folder', tokensPath, 0o700),
		...accounts.map(({ tokenPath }) => fileCheck(host, 'Token file', tokenPath, 0o600)),
		...kept.filter(({ state }) => state === 'wrong'),
		...earlier.map(path => {
			const shown = shortPath(path, host);
			const said = `${shown} is from an earlier build and is not read`;
			return unsure('Earlier files', said, `Remove ${shown}.`);
		}),
	];
}

function stateFolderCheck(host: Host, path: string): Check {
	let existing = path;
	while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
	if (isAccessible(existing, constants.W_OK | constants.X_OK))
		return fileCheck(host, 'State folder', path);
	const advice = 'Make the folder writable, or set CROWSNEST_STATE_DIR to another folder.';
	return wrong('State folder', `${shortPath(path, host)} is not writable`, advice);
}

/** With a private mode, other users may not read it either. */
function fileCheck(host: Host, about: string, path: string, privateMode?: number): Check {
	const shown = shortPath(path, host);
	try {
		const stats = statSync(path);
		if (privateMode === undefined) refuseWritableByOthers(path);
		else refuseShared(path, stats, privateMode);
		return right(about, `${shown} has mode ${modeText(stats.mode)}`);
	} catch (error) {
		if (hasCode(error, 'ENOENT')) return right(about, `no ${shown} yet`);
		// What is refused says what is wrong, and after a semicolon what to do.
		const [said = '', advice] = pathErrorText(path, error).replaceAll(path, shown).split('; ');
		return wrong(about, said, advice);
	}
}

function proxyCheck({ program: { env } }: Host): Check {
	try {
		const proxies = proxyNames.flatMap(name => {
			const proxy = proxyIn(env, name);
			return proxy ? [`${name} is ${proxy.host}`] : [];
		});
		if (proxies.length === 0) return right('Proxy', 'none: connections are direct');
		const { text: directHosts } = variableIn(env, 'NO_PROXY');
		const direct = directHosts ? [`not for ${directHosts}`] : [];
		return right('Proxy', [...proxies, ...direct].join(', '));
	} catch (error) {
		return wrong('Proxy', messageOf(error));
	}
}

async function platformChecks(
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
		// A configured password is tested, not replaced by a typed one or a stored token.
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
	try {
		// The first read also signs in.
		const list = await readCheck(host, connection, 'list');
		interrupted.signal.throwIfAborted();
		const signIn = signInCheck(account, isSignedIn, list.failure);
		const reads = signIn.state === 'wrong' ? [] : [list];
		for (const read of list.failure ? [] : readNames)
			if (read !== 'list') reads.push(await readCheck(host, connection, read, list.firstId));
		const { status, other, create } = connection.limiter.slots();
		const left = ({ free, limit }: Slots) => `${free.operation} of ${limit}`;
		const minute = `left this minute: reads ${left(other)}, statuses ${left(status)}`;
		return [
			...chosenSettingsChecks(host, account),
			signIn,
			...tokenProblems.map(said => unsure('Token', said)),
			...reads.map(({ check }) => check),
			right('Rate limits', `${minute}; creations this hour: ${left(create)}`),
		];
	} finally {
		await connection.close();
	}
}

/** They win over the configuration. */
function chosenSettingsChecks(host: Host, account: AccountSettings): readonly Check[] {
	const kept = accountMemory(host, [accountKey(account)]).read().settings ?? {};
	const choices = validSettingChoices(kept, configuredSettingWords([account.preferences]));
	const texts = Array.from(
		choices,
		([name, { word, over }]) => `${name} is ${word} (configuration: ${over})`,
	);
	const said = `${texts.join('; ')}, chosen in the monitor and kept in the state folder`;
	return texts.length === 0 ? [] : [right('Chosen settings', said)];
}

function signInCheck(account: AccountSettings, isSignedIn: boolean, failure?: Failure): Check {
	const about = 'Sign-in';
	const { credentials } = account;
	if (credentials.kind === 'token') {
		if (failure?.kind !== 'auth') return right(about, 'with a token');
		const advice = 'Set CROWSNEST_TOKEN to a new token, or run `crowsnest login --token`.';
		return wrong(about, 'the platform refuses the token', advice);
	}
	if (isSignedIn) return right(about, `as ${maskedEmail(credentials.email)}`);
	if (failure === undefined || failure.kind === 'cancelled')
		return skipped(about, 'no sign-in was needed');
	const { message, advice } = loginRefusalFrom(failure, 'identity', account);
	return wrong(about, message, advice);
}

const unreadableAdvice =
	'crowsnest does not understand the response. Report it with what `crowsnest doctor --json` prints.';

// For a used-up rate limit, and a person who types a password.
const longestReadMs = 100_000;

async function readCheck(
	{ clock }: Host,
	{ platform, limiter }: Awaited<ReturnType<typeof createConnection>>,
	read: ReadName,
	id?: string,
): Promise<{ check: Check; failure?: Failure; firstId?: string }> {
	const { title, scope } = readRows[read];
	const failed = (failure: Failure) => {
		const advice = failure.kind === 'unreadable' ? unreadableAdvice : failure.advice;
		return { failure, check: wrong(title, `${cannotReadText(read)}: ${failure.message}`, advice) };
	};
	const notSent = (message: string, advice: string) =>
		failed(createFailure('cancelled', message, { advice }));
	const until = limiter.slots()[scope].frozenUntil;
	if (until !== undefined) {
		const left = durationText(until - clock.now());
		const message = `the platform accepts no requests for ${left} (rate limit)`;
		return notSent(message, 'crowsnest sends nothing before then. Try again afterwards.');
	}
	if (id === undefined && isComputerRead(read))
		return { check: skipped(title, 'there is no computer to read') };
	const late = new AbortController();
	const cancelTimer = clock.after(longestReadMs, () => late.abort());
	const startedAt = clock.now();
	try {
		const request = { signal: late.signal, priority: 'operation' } as const;
		const {
			contents,
			oddities = [],
			firstId,
		} = contentsOf(await sendRead(platform, read, request, id));
		const time = `answered in ${Math.max(1, Math.round(clock.now() - startedAt))} ms`;
		const said = [`${time}; ${contents}`, ...oddities].join('; ');
		const advice = 'crowsnest shows the rest, and an unknown status as the platform spells it.';
		return {
			firstId,
			check: oddities.length > 0 ? unsure(title, said, advice) : right(title, said),
		};
	} catch (error) {
		const failure = failureIn(error);
		return failure.kind === 'cancelled'
			? notSent('other requests have used up the rate limit', 'Try again in a minute.')
			: failed(failure);
	} finally {
		cancelTimer();
	}
}

type Contents = { contents: string; oddities?: readonly string[]; firstId?: string };

function contentsOf({ fact, requestCount }: ReadResult): Contents {
	switch (fact.type) {
		case 'listRead':
			return listContents(fact, requestCount);
		case 'computerRead':
			return { contents: fieldsText([fact.computer]) };
		case 'answered': {
			const contents = accountReadRows[fact.read].contents as (answer: unknown) => string;
			return { contents: contents(fact.answer) };
		}
	}
}

function listContents(
	{ computers, ...notes }: Extract<ReadFact, { type: 'listRead' }>,
	requestCount: number,
): Contents {
	const pages = requestCount > 1 ? ` on ${requestCount} pages` : '';
	const words = computers.flatMap(({ status }) => status ?? []);
	const strange = [...new Set(words.filter(word => phaseOf(word) === 'unknown'))];
	const unknown = strange.length > 0 ? [`unknown statuses: ${strange.join(', ')}`] : [];
	return {
		contents: `${computers.length} computers${pages}, ${fieldsText(computers)}`,
		oddities: [...unknown, ...textsOfListNotes(notes)],
		firstId: computers[0]?.id,
	};
}

function fieldsText(readings: readonly Reading[]): string {
	const fields = readings.flatMap(reading => Object.entries(reading));
	const names = new Set(fields.flatMap(([name, value]) => (value === null ? [] : [name])));
	return `with ${[...names].join(' ') || 'no fields'}`;
}

async function terminalChecks({ program }: Host): Promise<readonly Check[]> {
	const { env, stdin, stdout } = program;
	if (!stdin.isTTY || !stdout.isTTY)
		return [skipped('Terminal', 'the input or the output is not a terminal')];
	const refusal = reasonForNoScreen(env, stdin, stdout);
	if (refusal !== undefined) {
		const advice = 'The monitor needs a terminal; the other commands do not.';
		return [unsure('Terminal', refusal, advice)];
	}
	const { hasUnicode, printsUnknownSequences, terminalName, multiplexer } = environmentFrom(env);
	const { columns, rows } = stdout;
	const size = `${columns} × ${rows}`;
	const sizeAdvice = 'Make the terminal at least 30 × 6. At 120 × 40 everything is visible.';
	const copies =
		!printsUnknownSequences && terminalName !== 'Apple_Terminal' && !env['VTE_VERSION'];
	return [
		columns >= 30 && rows >= 6
			? right('Terminal size', size)
			: wrong('Terminal size', size, sizeAdvice),
		hasUnicode || printsUnknownSequences
			? right('UTF-8', hasUnicode ? 'yes' : 'no: the console shows ASCII')
			: unsure('UTF-8', 'no', 'Set LANG to a UTF-8 locale, such as C.UTF-8.'),
		...(multiplexer === 'tmux' ? [await tmuxCheck(env)] : []),
		copies
			? right('Clipboard', 'copies with OSC 52; some terminals need it enabled in their settings')
			: unsure(
					'Clipboard',
					'cannot copy (OSC 52)',
					'Select ids and addresses with the mouse instead.',
				),
	];
}

/** Without focus events the monitor does not see that it is looked at; without passthrough it cannot copy. */
async function tmuxCheck(env: NodeJS.ProcessEnv): Promise<Check> {
	const options = ['focus-events', 'allow-passthrough'];
	const format = options.map(name => `#{${name}}`).join(' ');
	const words = ['display-message', '-p', format];
	const answer = await promisify(execFile)('tmux', words, { env, timeout: 2_000 }).catch(() => {});
	if (!answer) return unsure('tmux', 'tmux does not report its settings');
	const values = answer.stdout.trimEnd().split(' ');
	const off = options.filter((_, index) => !/^(on|1|all)$/.test(values[index] ?? ''));
	if (off.length === 0) return right('tmux', `${options.join(' and ')} are on`);
	const missing = off.map(name => `set -g ${name} on`).join('; ');
	return unsure('tmux', `${off.join(' and ')} off`, `Add to ~/.tmux.conf: ${missing}`);
}
