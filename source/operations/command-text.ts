import type { OperationId } from '../fleet/operations/operation.ts';
import type { OperationDetails, Target } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';

/** Returns the shell command that is equivalent to an operation. A port that is not typed yet appears as `PORT`. */
export function commandText(
	operation: OperationId,
	targets: readonly Pick<Target, 'id' | 'name'>[],
	{ port, name, provider }: OperationDetails,
	options: readonly string[],
	isUnique: (name: string) => boolean,
	maxNamed = targets.length,
): string {
	const { commandName, subject } = operationRowOf(operation);
	const named = targets.slice(0, maxNamed);
	const more = targets.length - named.length;
	return [
		shellCommandFrom(['crowsnest', commandName]),
		...named.map(target => quoteForShell(argumentFor(target, isUnique))),
		...(more > 0 ? [`… and ${more} more`] : []),
		shellCommandFrom([
			...(subject === 'port' ? [port === undefined ? 'PORT' : String(port)] : []),
			...(name ? ['--name', name] : []),
			...(provider ? ['--provider', provider] : []),
			...options,
			'--yes',
		]),
	].join(' ');
}

/** Joins words into a command line, quoted for a shell. */
export function shellCommandFrom(words: readonly string[]): string {
	return words.map(quoteForShell).join(' ');
}

// Uses the id where the name is not unique or looks like an option, because the command would then mean
// something else.
function argumentFor(
	{ id, name }: Pick<Target, 'id' | 'name'>,
	isUnique: (name: string) => boolean,
) {
	return isUnique(name) && !name.startsWith('-') ? name : id;
}

function quoteForShell(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
