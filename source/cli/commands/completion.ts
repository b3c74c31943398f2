import type { AccountSettings, LoadedSettings } from '../../accounts/account-settings.ts';
import { configFrom } from '../../accounts/config-text.ts';
import { accountKey } from '../../accounts/credentials.ts';
import { splitNames } from '../../accounts/setting-values.ts';
import { isCountedPhase, phaseOf, type Reading } from '../../fleet/computers/computer.ts';
import { fieldNameFrom, fields } from '../../fleet/computers/field.ts';
import { readFleet } from '../../journal/fleet-file.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { computerWordsFrom } from '../../script/computer-words.ts';
import { type Host, pathsOf } from '../../session/host.ts';
import { logPath } from '../../session/open-journal.ts';
import { tokensFrom } from '../../shell/arg-tokens.ts';
import { type Command, exitCodes, type Option } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import { commonOptions } from '../../shell/help.ts';
import { loadSettings, readConfigText } from '../../shell/load-settings.ts';
import { commandNamesOf, findCommand } from '../../shell/parse-args.ts';

// A shell passes the words up to the cursor to `crowsnest complete`, which prints a line for each candidate for the
// last of them: the word, a tab and its description. It ends with 1 where the shell should offer files.

const bash = `# Completes crowsnest in bash: eval "$(crowsnest completion bash)"
_crowsnest() {
	local typed="\${COMP_LINE:0:COMP_POINT}" lines line word cut
	local -a words
	read -a words <<<"$typed"
	[[ $typed != *[[:space:]] ]] || words+=('')
	typed="\${words[\${#words[@]}-1]}"
	cut="\${typed%"\${typed##*[:=]}"}"
	COMPREPLY=()
	lines=$(crowsnest complete -- "\${words[@]:1}" 2>/dev/null) || compopt -o default 2>/dev/null
	while IFS=$'\\t' read -r word line; do
		[[ -n $word && $word == "$typed"* ]] || continue
		[[ $word != *: ]] || compopt -o nospace 2>/dev/null
		printf -v word %q "\${word#"$cut"}"
		COMPREPLY+=("$word")
	done <<<"$lines"
}
complete -F _crowsnest crowsnest
`;

const zsh = `#compdef crowsnest
# Completes crowsnest in zsh 5: eval "$(crowsnest completion zsh)", after compinit, or as the file _crowsnest in $fpath
_crowsnest() {
	local answer line word
	local -a candidates nospace
	answer=$(crowsnest complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null) || { _files; return }
	for line in \${(f)answer}; do
		word=\${\${line%%$'\\t'*}//\\\\/\\\\\\\\}
		candidates+=("\${word//:/\\\\:}:\${line#*$'\\t'}")
		[[ $word != *: ]] || nospace=(-S '')
	done
	_describe crowsnest candidates "\${(@)nospace}"
}
if [[ \${funcstack[1]} == _crowsnest ]]; then
	_crowsnest
else
	compdef _crowsnest crowsnest
fi
`;

const fish = `# Completes crowsnest in fish 3: crowsnest completion fish > ~/.config/fish/completions/crowsnest.fish
function __crowsnest_complete
	set -l word (commandline -ct)
	crowsnest complete -- (commandline -opc)[2..-1] "$word" 2>/dev/null
	or __fish_complete_path "$word"
end
complete -c crowsnest -f -a '(__crowsnest_complete)'
`;

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };

export const completion: Command = {
	name: 'completion',
	summary: 'print a script that lets a shell complete commands, options and computers',
	description:
		'Computers come from the last known fleet on this host; completion sends no request.\n' +
		'  bash  in ~/.bashrc: eval "$(crowsnest completion bash)"\n' +
		'  zsh   in ~/.zshrc, after compinit: eval "$(crowsnest completion zsh)"\n' +
		'  fish  crowsnest completion fish > ~/.config/fish/completions/crowsnest.fish',
	argumentUsage: 'bash|zsh|fish',
	options: [],
	examples: ['crowsnest completion bash > ~/.local/share/bash-completion/completions/crowsnest'],
	async run(host, args) {
		const [shell = '', ...others] = args.positionals;
		const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
		if (script === undefined || others.length > 0)
			throw new UsageError('completion takes one of bash, zsh and fish');
		host.program.stdout.write(script);
		return exitCodes.done;
	},
};

export const complete: Command = {
	name: 'complete',
	isHidden: true,
	summary: 'print the completions of the last word; the scripts of `completion` call this',
	argumentUsage: 'WORD…',
	options: [],
	examples: [],
	async run(host, { positionals }, commands) {
		// A message would appear in the middle of the line that the person types.
		const candidates = await candidatesFor(host, commands, positionals).catch(() => []);
		if (candidates === 'files') return exitCodes.failed;
		const lines = candidates
			.filter(([word]) => isPlain(word))
			.map(([word, description]) => `${word}\t${cleanText(description)}\n`);
		host.program.stdout.write(lines.join(''));
		return exitCodes.done;
	},
};

type Candidate = readonly [word: string, description: string];
type Candidates = readonly Candidate[] | 'files';

/** Whether a shell can insert the text as it is. */
const isPlain = (text: string) => text !== '' && cleanText(text) === text;

async function candidatesFor(
	host: Host,
	allCommands: readonly Command[],
	words: readonly string[],
): Promise<Candidates> {
	const commands = allCommands.filter(({ isHidden }) => !isHidden);
	const { command, commandWord, otherWords } = findCommand(commands, words.slice(0, -1));
	const options = [...(command?.options ?? []), ...commonOptions];
	const tokens = tokensFrom(otherWords, options);
	const values = tokens.flatMap(each => (each.kind === 'option' ? each : []));
	const known: Known = {
		host,
		profiles: splitNames(
			values.flatMap(({ name, value }) => (name === 'profile' ? (value ?? []) : [])),
		),
		isForAll: values.some(({ name }) => name === 'all-profiles'),
	};
	const word = words.at(-1) ?? '';
	const last = tokens.at(-1);
	const valued = options.find(
		({ name, valueName }) =>
			valueName && last?.kind === 'option' && last.name === name && last.value === undefined,
	);
	if (valued) return valuesOf(valued, known, word);
	if (word.startsWith('-') && !tokens.some(({ kind }) => kind === 'option-terminator')) {
		const [, name, value = ''] = /^--([^=]+)=(.*)$/s.exec(word) ?? [];
		if (name === undefined) return options.map(each => [`--${each.name}`, each.help]);
		const option = options.find(each => each.name === name && each.valueName);
		return option ? after(`--${name}=`, await valuesOf(option, known, value)) : [];
	}
	const positionals = tokens.flatMap(each => (each.kind === 'positional' ? each.value : []));
	if (command && commandWord !== undefined)
		return argumentsOf(command, commands, known, positionals, word);
	if (positionals.length > 0) return [];
	// A rare command is offered only where no other begins like this.
	const common = namesOf(
		commands.filter(({ isRare }) => !isRare),
		commandWord,
	);
	return common.some(([name]) => name.startsWith(word)) ? common : namesOf(commands, commandWord);
}

const after = (prefix: string, candidates: Candidates): Candidates =>
	candidates === 'files'
		? candidates
		: candidates.map(([word, description]) => [prefix + word, description]);

/** Returns the names of the commands; after the first word of names with two, the second words. */
function namesOf(commands: readonly Command[], first: string | undefined): readonly Candidate[] {
	const names = commands.flatMap(command =>
		commandNamesOf(command).flatMap((name): readonly Candidate[] => {
			const [word = '', second] = name.split(' ');
			if (first === undefined) return [[word, command.summary]];
			return word === first && second !== undefined ? [[second, command.summary]] : [];
		}),
	);
	return [...new Map(names)];
}

/** The usage of a command, such as `ID… PORT`, says which arguments it takes. */
async function argumentsOf(
	{ argumentUsage = '' }: Command,
	commands: readonly Command[],
	known: Known,
	positionals: readonly string[],
	word: string,
): Promise<Candidates> {
	const at = positionals.length;
	if (argumentUsage === 'COMMAND') return at < 2 ? namesOf(commands, positionals[0]) : [];
	const usages = argumentUsage.split(' ');
	const isFurther = argumentUsage.startsWith('ID…') && at > 0;
	const expected = isFurther ? usages : usages.slice(at, at + 1);
	const found = await Promise.all(
		expected.map((usage): Candidates | Promise<Candidates> => {
			const plain = usage.replace(/^\[(.*)\]$/, '$1');
			if (plain === 'FILE') return 'files';
			if (plain.startsWith('ID')) return computersLike(known, word);
			if (plain === 'PORT') return portsOf(known, positionals[0] ?? '');
			return plain.includes('|') ? plain.split('|').map(each => [each, '']) : [];
		}),
	);
	return found.includes('files') ? 'files' : found.flatMap(each => (each === 'files' ? [] : each));
}

/** Completes the last part of a value: after the last comma of several values, or the last term of a filter. */
async function valuesOf(option: Option, known: Known, typed: string): Promise<Candidates> {
	const { values = [], suggestions = [], valueName, isRepeatable } = option;
	if (valueName === 'FILE') return 'files';
	if (values === 'filter') {
		const [term = ''] = /[^\s-]\S*$|$/.exec(typed) ?? [];
		return after(typed.slice(0, typed.length - term.length), await filterTerms(known, term));
	}
	const earlier = isRepeatable ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
	if (values === 'profiles')
		return after(earlier, profilesBut(known.host, [...known.profiles, ...splitNames([earlier])]));
	return after(
		earlier,
		[...values, ...suggestions].map(value => [value, '']),
	);
}

async function filterTerms(known: Known, term: string): Promise<readonly Candidate[]> {
	const colon = term.indexOf(':');
	if (colon < 0) return Object.keys(fields).map(name => [`${name}:`, 'field']);
	const typedField = term.slice(0, colon);
	const field = fieldNameFrom(typedField);
	if (field === undefined) return [];
	const { kind, possibleValues, examples, values } = fields[field];
	const texts = async () => {
		if (field === 'account') return profilesBut(known.host, []).map(([name]) => name);
		const computers = (await knownFleets(known)).flatMap(fleet => fleet.computers);
		const since = { at: 0, isLowerBound: true };
		const found = computers.flatMap(reading =>
			values({ reading, phase: phaseOf(reading.status), since }, 0),
		);
		// A filter divides a text at its spaces, unless the text stands in quotes.
		const whole = found.map(String).filter(text => kind === 'number' || !/[\s"]/.test(text));
		return [...new Set(whole)].toSorted();
	};
	const offered = possibleValues ?? examples ?? (await texts());
	return offered.map(value => [`${typedField}:${value}`, field]);
}

function profilesBut(host: Host, chosen: readonly string[]): readonly Candidate[] {
	const { config } = configFrom(readConfigText(pathsOf(host).configPath) ?? '');
	return [...(config.profiles ?? [])]
		.filter(([name]) => !chosen.includes(name))
		.map(([name, { url = '' }]) => [name, url]);
}

/** What a command line says of its accounts. */
type Known = { host: Host; profiles: readonly string[]; isForAll: boolean };

/** The last known computers of an account, and the account in front of each, such as `lab/`. */
type Fleet = { prefix: string; computers: readonly Reading[] };

/** A word such as `lab/at` names the account itself. */
async function knownFleets(
	{ host, profiles, isForAll }: Known,
	word = '',
): Promise<readonly Fleet[]> {
	const settingsOf = (names: readonly string[]) =>
		loadSettings(host, {
			list: () => names,
			flag: name => name === 'all-profiles' && isForAll && names === profiles,
		});
	const accountsOf = (settings: LoadedSettings) =>
		settings.kind === 'accounts' ? settings.accounts : [];
	const settings = settingsOf(profiles);
	if (settings.kind !== 'accounts' && settings.kind !== 'choice') return [];
	const [{ account: named } = {}] = computerWordsFrom([word], settings.profiles);
	const accounts =
		named !== undefined
			? accountsOf(settingsOf([named]))
			: settings.kind === 'accounts'
				? settings.accounts
				: settings.profiles.flatMap(({ name }) => accountsOf(settingsOf([name])));
	const isOne = settings.kind === 'accounts' && accounts.length === 1;
	const prefixOf = ({ name }: AccountSettings) =>
		named !== undefined ? word.slice(0, word.indexOf('/') + 1) : isOne ? '' : `${name}/`;
	return Promise.all(
		accounts.map(async account => ({
			prefix: prefixOf(account),
			computers: await lastKnown(host, account),
		})),
	);
}

async function lastKnown(host: Host, account: AccountSettings): Promise<readonly Reading[]> {
	return readFleet(logPath(host), accountKey(account))
		.facts.flatMap(fact => (fact.type === 'fleetRecalled' ? fact.computers : []))
		.map(({ reading }) => reading)
		.filter(({ status }) => isCountedPhase(phaseOf(status)));
}

/** Offers names, and ids where a name is not unique or cannot stand as an argument, or where an id is being typed. */
async function computersLike(known: Known, typed: string): Promise<readonly Candidate[]> {
	const isArgument = (text: string) => !text.startsWith('-') && isPlain(text);
	return (await knownFleets(known, typed)).flatMap(({ prefix, computers }) => {
		const counts = new Map<string, number>();
		for (const { id, name } of computers)
			for (const text of new Set([id, name]))
				if (text) counts.set(text, (counts.get(text) ?? 0) + 1);
		const typedId = typed.startsWith(prefix) ? typed.slice(prefix.length) : '';
		return computers.flatMap(({ id, status = '', ...reading }): readonly Candidate[] => {
			const name = reading.name ?? '';
			const hasName = counts.get(name) === 1 && isArgument(prefix + name);
			const hasId =
				isArgument(prefix + id) && (!hasName || (typedId !== '' && id.startsWith(typedId)));
			return [
				...(hasName ? [[prefix + name, status] as const] : []),
				...(hasId ? [[prefix + id, [name, status].filter(Boolean).join(', ')] as const] : []),
			];
		});
	});
}

async function portsOf(known: Known, word: string): Promise<readonly Candidate[]> {
	const fleets = await knownFleets(known, word);
	const named = fleets.flatMap(({ prefix, computers }) =>
		computers.filter(({ id, name }) => prefix + id === word || prefix + name === word),
	);
	const [only] = named.length === 1 ? named : [];
	return (only?.ports ?? []).map(({ port }) => [String(port), 'published']);
}
