import { accountKey } from '../../accounts/credentials.ts';
import { splitNames } from '../../accounts/setting-values.ts';
import { isCountedPhase, phaseOf, type Reading } from '../../fleet/computers/computer.ts';
import { fieldNameFrom, fields } from '../../fleet/computers/fields.ts';
import { exitCodes, UsageError } from '../../foundation/error.ts';
import { readFleet } from '../../journal/fleet-file.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import type { Host } from '../../session/host.ts';
import { loadSettings, readConfig } from '../../session/settings.ts';
import { logPath } from '../../session/state-folder.ts';
import { findCommand, tokensFrom } from '../arguments.ts';
import { type Command, commandNamesOf, type Option, onlyArgument } from '../command.ts';
import { commonOptions } from '../help.ts';

// `crowsnest complete` gets the words up to the cursor and prints each candidate for the last, a tab and its
// description. It ends with 1 where the shell should offer files.

const bash = `# Completes crowsnest in bash: eval "$(crowsnest completion bash)"
_crowsnest() {
	local typed="\${COMP_LINE:0:COMP_POINT}" quoted="\${COMP_WORDS[COMP_CWORD]}" lines line word cut
	local -a words
	[[ $quoted == [\\'\\"]* ]] || quoted=''
	typed="\${typed%"$quoted"}"
	read -a words <<<"$typed"
	[[ $typed != *[[:space:]] ]] || words+=('')
	cut="\${words[\${#words[@]}-1]}"
	typed="$cut\${quoted//[\\'\\"]/}"
	if [[ -z $quoted ]]; then cut="\${typed%"\${typed##*[:=]}"}"
	elif [[ \${quoted#?} == *"\${quoted:0:1}"* ]]; then quoted=''; fi
	COMPREPLY=()
	lines=$(crowsnest complete -- "\${words[@]:1:\${#words[@]}-2}" "$typed" 2>/dev/null) || compopt -o default 2>/dev/null
	while IFS=$'\\t' read -r word line; do
		[[ -n $word && $word == "$typed"* ]] || continue
		[[ $word != *: ]] || compopt -o nospace 2>/dev/null
		word="\${word#"$cut"}"
		if [[ -z $quoted ]]; then printf -v word %q "$word"
		elif [[ $word == *[\\'\\"\\$\\\`\\\\!]* ]]; then continue; fi
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
		line=\${line#*$'\\t'}
		candidates+=("\${word//:/\\\\:}\${line:+:$line}")
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
	string match -qr '^[^\\'"]*(?<quote>[\\'"])[^\\'"]*$' -- "$word"
	set word (string unescape -- "$word$quote")
	crowsnest complete -- (commandline -opc)[2..-1] "$word" 2>/dev/null
	or __fish_complete_path "$word"
end
complete -c crowsnest -f -a '(__crowsnest_complete)'
`;

const scripts = new Map(Object.entries({ bash, zsh, fish }));

const taken = 'one of bash, zsh and fish';

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
		const script = scripts.get(onlyArgument(args, 'completion', taken));
		if (script === undefined) throw new UsageError(`completion takes ${taken}`);
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
		const visible = commands.filter(({ isHidden }) => !isHidden);
		let candidates: Candidates = [];
		try {
			candidates = candidatesFor(host, visible, positionals);
		} catch {
			// A message would appear in the middle of the line that the person types.
		}
		if (candidates === 'files') return exitCodes.failed;
		for (const [word, description] of candidates)
			if (isPlain(word)) host.program.stdout.write(`${word}\t${cleanText(description)}\n`);
		return exitCodes.done;
	},
};

type Candidate = readonly [word: string, description: string];
type Candidates = readonly Candidate[] | 'files';

const isPlain = (text: string) => text !== '' && cleanText(text) === text;

type Known = { host: Host; profiles: readonly string[]; isForAll: boolean };

function candidatesFor(
	host: Host,
	commands: readonly Command[],
	words: readonly string[],
): Candidates {
	const word = words.at(-1) ?? '';
	const { command, commandWord, otherWords } = findCommand(commands, words.slice(0, -1));
	const options = [...(command?.options ?? []), ...commonOptions];
	const tokens = tokensFrom(otherWords, options);
	const used = tokens.filter(token => token.kind === 'option');
	const profiles = used.flatMap(({ name, value }) => (name === 'profile' && value ? value : []));
	const isForAll = used.some(({ name }) => name === 'all-profiles');
	const known = { host, profiles: splitNames(profiles), isForAll };
	const last = tokens.at(-1);
	if (last?.kind === 'option' && last.value === undefined) {
		const valued = options.find(({ name, valueName }) => valueName && name === last.name);
		if (valued) return valuesOf(valued, known, word);
	}
	if (word.startsWith('-') && !tokens.some(({ kind }) => kind === 'option-terminator')) {
		const [, name, value = ''] = /^--([^=]+)=(.*)$/s.exec(word) ?? [];
		if (name === undefined) return options.map(each => [`--${each.name}`, each.help]);
		const option = options.find(each => each.name === name && each.valueName);
		return option ? after(`--${name}=`, valuesOf(option, known, value)) : [];
	}
	const positionals = tokens.flatMap(each => (each.kind === 'positional' ? each.value : []));
	if (command && commandWord !== undefined)
		return argumentsOf(command, commands, known, positionals, word);
	return positionals.length > 0 ? [] : namesOf(commands, commandWord);
}

const after = (prefix: string, candidates: Candidates): Candidates =>
	candidates === 'files'
		? candidates
		: candidates.map(([word, description]) => [prefix + word, description]);

const asWords = (words: readonly string[]) => words.map(word => [word, ''] as const);

/** After the first word of names with two, the second words. */
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

/** The usage, such as `ID… PORT`, says which arguments a command takes. */
function argumentsOf(
	{ argumentUsage = '' }: Command,
	commands: readonly Command[],
	known: Known,
	positionals: readonly string[],
	word: string,
): Candidates {
	const at = positionals.length;
	if (argumentUsage === 'COMMAND') return at < 2 ? namesOf(commands, positionals[0]) : [];
	const usages = argumentUsage.replaceAll(/[[\]]/g, '').split(' ');
	const expected = argumentUsage.startsWith('ID…') && at > 0 ? usages : usages.slice(at, at + 1);
	if (expected.includes('FILE')) return 'files';
	return expected.flatMap(usage => {
		if (usage.startsWith('ID')) return computersLike(known, word);
		if (usage === 'PORT') return portsOf(known, positionals[0] ?? '');
		return usage.includes('|') ? asWords(usage.split('|')) : [];
	});
}

/** After the last comma of several values, or in the last term of a filter. */
function valuesOf(option: Option, known: Known, typed: string): Candidates {
	const { values = [], valueName, isRepeatable } = option;
	if (valueName === 'FILE') return 'files';
	if (values === 'filter') {
		const [term = ''] = /[^\s-]\S*$|$/.exec(typed) ?? [];
		return after(typed.slice(0, typed.length - term.length), filterTerms(known, term));
	}
	const words = values === 'profiles' ? profileNames(known.host) : values;
	const earlier = isRepeatable ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
	const chosen = [...known.profiles, ...splitNames([earlier])];
	return after(earlier, asWords(words.filter(word => !chosen.includes(word))));
}

const profileNames = (host: Host) => [...readConfig(host).config.profiles.keys()];

function filterTerms(known: Known, term: string): readonly Candidate[] {
	const colon = term.indexOf(':');
	if (colon < 0) return Object.keys(fields).map(name => [`${name}:`, 'field']);
	const typedField = term.slice(0, colon);
	const field = fieldNameFrom(typedField);
	if (field === undefined) return [];
	const { kind, possibleValues, examples, values } = fields[field];
	const since = { at: 0, isLowerBound: true };
	const texts = () =>
		field === 'account'
			? profileNames(known.host)
			: knownComputers(known)
					.flatMap(({ reading }) => values({ reading, phase: phaseOf(reading.status), since }, 0))
					.map(String)
					// A filter divides a text at its spaces, unless the text stands in quotes.
					.filter(text => kind === 'number' || !/[\s"]/.test(text))
					.toSorted();
	const offered = possibleValues ?? examples ?? new Set(texts());
	return [...offered].map(value => [`${typedField}:${value}`, field]);
}

/** Each word with its account in front, as in `lab/`, if there are several. */
type KnownComputer = { idWord: string; nameWord: string; reading: Reading };

/** Of all profiles where none is chosen or a word such as `lab/at` is typed. */
function knownComputers({ host, profiles, isForAll }: Known, word = ''): readonly KnownComputer[] {
	const accountsOf = (names: readonly string[], forAll = false) => {
		const flag = (name: string) => forAll && name === 'all-profiles';
		const settings = loadSettings(host, { list: () => names, flag });
		return settings.kind === 'accounts' ? settings.accounts : [];
	};
	const chosen = word.includes('/') ? [] : accountsOf(profiles, isForAll);
	// One that cannot be opened hides no other.
	const accounts =
		chosen.length > 0 ? chosen : profileNames(host).flatMap(name => accountsOf([name]));
	return accounts.flatMap(account => {
		const prefix = chosen.length === 1 ? '' : `${account.name}/`;
		return readFleet(logPath(host), accountKey(account))
			.flatMap(fact => (fact.type === 'recalled' ? (fact.computers ?? []) : []))
			.filter(({ reading }) => isCountedPhase(phaseOf(reading.status)))
			.map(({ reading }) => {
				const { id, name } = reading;
				return { idWord: prefix + id, nameWord: name ? prefix + name : '', reading };
			});
	});
}

/** Ids where a name is not unique or cannot be an argument, or where an id is being typed. */
function computersLike(known: Known, typed: string): readonly Candidate[] {
	const isArgument = (text: string) => !text.startsWith('-') && isPlain(text);
	const computers = knownComputers(known, typed);
	const words = computers.flatMap(({ idWord, nameWord }) => [...new Set([idWord, nameWord])]);
	const isUnique = (word: string) => words.indexOf(word) === words.lastIndexOf(word);
	return computers.flatMap(({ idWord, nameWord, reading: { name, status } }): Candidate[] => {
		const hasName = isArgument(nameWord) && isUnique(nameWord);
		const isIdTyped = /[^/]$/.test(typed) && idWord.startsWith(typed);
		const id: Candidate = [idWord, [name, status].filter(Boolean).join(', ')];
		return [
			...(hasName ? [[nameWord, status ?? ''] as const] : []),
			...((isIdTyped || !hasName) && isArgument(idWord) ? [id] : []),
		];
	});
}

function portsOf(known: Known, word: string): readonly Candidate[] {
	const named = knownComputers(known, word).filter(({ idWord, nameWord }) =>
		[idWord, nameWord].includes(word),
	);
	const ports = named.length === 1 ? (named[0]?.reading.ports ?? []) : [];
	return ports.map(({ port }) => [String(port), 'published']);
}
