import { type OwnCommand, ownCommandId } from '../fleet/operations/own-command.ts';
import { type Binding, bindingWorksIn, type KeyContext } from './binding.ts';
import { operationBinding } from './bindings.ts';

type OwnCommandBindings = {
	bindings: readonly Binding[];
	/**
	 * The commands whose key is already bound to another action, with that action. Such commands can be run only from
	 * the palette.
	 */
	withoutKey: readonly { command: OwnCommand; action: string }[];
};

const commandContexts: readonly KeyContext[] = ['fleet', 'map'];

/** Adds a binding for each own command. If its key is already bound, the earlier binding keeps the key. */
export function withOwnCommands(
	builtIn: readonly Binding[],
	commands: readonly OwnCommand[],
): OwnCommandBindings {
	let bindings = builtIn;
	const withoutKey: { command: OwnCommand; action: string }[] = [];
	for (const command of commands) {
		const { key } = command;
		const earlier = bindings.find(binding => key !== undefined && takesKey(binding, key));
		if (earlier) withoutKey.push({ command, action: earlier.action });
		const binding = operationBinding(ownCommandId(command), earlier ? '' : (key ?? ''));
		const keys = binding.keys.filter(each => each !== '');
		bindings = [...bindings, { ...binding, keys, hint: command.label }];
	}
	return { bindings, withoutKey };
}

/** Says that the key of a command belongs to another action. */
export const takenKeyText = ({
	command: { name, key = '' },
	action,
}: OwnCommandBindings['withoutKey'][number]) =>
	`commands.${name}: the key ${key} belongs to ${action}, so the command has no key`;

const takesKey = ({ keys, contexts }: Binding, key: string) =>
	keys.includes(key) &&
	(contexts.includes('everywhere') ||
		commandContexts.some(context => bindingWorksIn({ contexts }, context)));
