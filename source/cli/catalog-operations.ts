import type { OperationId } from '../fleet/operation.ts';
import { commandNameOf } from '../operations/command-text.ts';
import { operationTable } from '../operations/operation-table.ts';
import type { Command, Option } from '../shell/command.ts';
import { outcomeFields } from '../shell/json-fields.ts';
import { changingOptions, filterOption } from '../shell/options.ts';

const portOption: Option = {
	name: 'port',
	value: 'PORT',
	help: 'which port, from 1 to 65535, in the place of the last word',
};

const waitOption: Option = { name: 'wait', help: 'until it is done, and not only taken on' };

type More = Pick<Command, 'takes' | 'aliases' | 'about'> & { options?: readonly Option[] };

/** A row for what a person can ask for, from the table of that. */
function operationCommand(
	id: OperationId,
	examples: readonly string[],
	{ options = [], ...more }: More = { takes: 'ID…', options: [filterOption] },
): Command {
	const name = commandNameOf(id);
	return {
		name,
		summary: operationTable[id].help,
		...more,
		options: [...options, waitOption, ...changingOptions],
		examples: examples.map(example => `crowsnest ${name} ${example}`.trim()),
		json: { form: 'array', fields: outcomeFields },
		load: async () => (await import('./commands/operate.ts')).operate(id),
	};
}

const aboutPort: More = { takes: 'ID… PORT', options: [portOption, filterOption] };

export const operationCommands: readonly Command[] = [
	operationCommand('start', ['atlas', 'atlas borealis --yes --wait']),
	operationCommand('stop', ['atlas', "--filter 'status:active name:test-' --yes"]),
	operationCommand('restart', ['atlas --yes --wait --timeout 120']),
	operationCommand('update', ["--filter 'version:<1.4' --yes"]),
	operationCommand('publish', ['atlas 8080', 'atlas 8080 --yes --json'], aboutPort),
	operationCommand('unpublish', ['atlas 8080 --yes'], aboutPort),
	operationCommand('create', ['', '--name atlas --yes --wait', '--yes --json'], {
		aliases: ['create'],
		about: '`create` is another name for it.',
		options: [
			{ name: 'name', value: 'NAME', help: 'what it is called' },
			{ name: 'provider', value: 'PROVIDER', help: 'who runs it (opensandbox)' },
		],
	}),
	operationCommand('delete', ['atlas', "--filter 'name:test- status:stopped' --yes"]),
];
