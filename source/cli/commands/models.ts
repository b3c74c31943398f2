import { exitCodes } from '../../foundation/error.ts';
import type { JsonFields, JsonRecord } from '../../script/command.ts';
import { withFleet } from '../../script/fleet.ts';
import { viewText } from '../../script/plain-sections.ts';
import type { Command } from '../command.ts';
import { readingOptions } from '../options.ts';

const modelFields = {
	id: 'id of the model',
	owner: 'company that made it',
	contextWindow: 'tokens that fit into its context',
	inputPrice: 'price per million input tokens',
	outputPrice: 'price per million output tokens',
} as const satisfies JsonFields;

export const models: Command = {
	name: 'models',
	summary: 'list the available models and their prices',
	description: 'Prices are per million tokens.',
	options: readingOptions,
	examples: ['crowsnest models', "crowsnest models --json | jq -r '.[].id'"],
	json: { form: 'array', fields: modelFields },
	run: (host, args) =>
		withFleet(host, args, async ({ readOrThrow }) => {
			const { stdout } = host.program;
			const account = await readOrThrow('models');
			if (args.flag('json')) {
				const records = (account.models ?? []).map(
					({ id, owner, contextWindow, inputPrice, outputPrice }) =>
						({
							id,
							owner: owner ?? null,
							contextWindow: contextWindow ?? null,
							inputPrice: inputPrice ?? null,
							outputPrice: outputPrice ?? null,
						}) satisfies JsonRecord<typeof modelFields>,
				);
				stdout.write(`${JSON.stringify(records, undefined, 2)}\n`);
				return exitCodes.done;
			}
			stdout.write(viewText(host, args, 'models', account));
			return exitCodes.done;
		}),
};
