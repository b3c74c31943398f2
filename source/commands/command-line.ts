import { parseArgs } from 'node:util';
import { type Command, exitCodes, type Given, Interrupted, UsageError } from './command.ts';
import { helpFor, overview } from './command-help.ts';
import type { Host } from './host.ts';

/** Runs the command that the arguments name, and ends with its exit code. */
export async function runCommandLine(
	host: Host,
	commands: readonly Command[],
	words: readonly string[],
): Promise<number> {
	const { stdout, stderr } = host.program;
	const [command, rest] = commandIn(commands, words);
	try {
		if (command === undefined) throw new UsageError(`there is no command ${words[0]}`);
		if (rest.includes('--version')) {
			stdout.write(`crowsnest ${host.version}\n`);
			return exitCodes.done;
		}
		if (rest.includes('--help') || rest.includes('-h')) {
			stdout.write(words[0] === command.name ? helpFor(command) : overview(commands));
			return exitCodes.done;
		}
		const run = await command.load();
		return await run(host, givenFrom(command, rest));
	} catch (error) {
		if (error instanceof Interrupted) return exitCodes.interrupted;
		if (!(error instanceof UsageError)) throw error;
		const help = `crowsnest ${command && words[0] === command.name ? `${command.name} ` : ''}--help`;
		stderr.write(`crowsnest: ${error.message}\nSee ${help}\n`);
		return exitCodes.usage;
	}
}

function commandIn(commands: readonly Command[], words: readonly string[]) {
	const [first, ...rest] = words;
	if (first === undefined || first.startsWith('-')) return [commands[0], words] as const;
	return [commands.find(({ name }) => name === first), rest] as const;
}

function givenFrom(command: Command, words: readonly string[]): Given {
	const options = Object.fromEntries(
		command.options.map(({ name, short, value }) => [
			name,
			{ type: value ? ('string' as const) : ('boolean' as const), ...(short && { short }) },
		]),
	);
	const { values, positionals } = parsed(words, options);
	if (positionals.length > 0 && command.takes === undefined) {
		throw new UsageError(`${positionals[0]} is one word too many`);
	}
	const text = (name: string) => {
		const value = values[name];
		return typeof value === 'string' ? value : undefined;
	};
	return {
		text,
		flag: name => values[name] === true,
		whole(name, least, most) {
			const given = text(name);
			if (given === undefined) return undefined;
			const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
			if (number >= least && number <= most) return number;
			throw new UsageError(`--${name} takes a whole number from ${least} to ${most}`);
		},
		rest: positionals,
	};
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

function parsed(words: readonly string[], options: Options) {
	try {
		return parseArgs({ args: [...words], options, allowPositionals: true });
	} catch (error) {
		throw new UsageError(error instanceof Error ? (error.message.split('.')[0] ?? '') : '');
	}
}
