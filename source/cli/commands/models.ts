import { withFleet } from '../../script/fleet.ts';
import { outputWidth, plainSectionLines, plainTheme } from '../../script/plain-sections.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import type { modelFields, RecordOf } from '../../shell/json-fields.ts';
import { modelsSections } from '../../wording/models-text.ts';

/** The models that can be used, as the monitor's table of them or for other programs. */
export const models: Run = (host, args) =>
	withFleet(host, args, async ({ require: need }) => {
		const { stdout } = host.program;
		const account = await need('models');
		if (args.flag('json')) {
			const records = (account.models ?? []).map(
				({ id, owner, contextWindow, inputPrice, outputPrice }) =>
					({
						id,
						owner: owner ?? null,
						contextWindow: contextWindow ?? null,
						inputPrice: inputPrice ?? null,
						outputPrice: outputPrice ?? null,
					}) satisfies RecordOf<typeof modelFields>,
			);
			stdout.write(`${JSON.stringify(records, undefined, 2)}\n`);
			return exitCodes.done;
		}
		const theme = plainTheme(host, args);
		const sections = modelsSections({
			account,
			ordering: { by: 'id', isReversed: false },
			now: host.clock.now(),
			width: outputWidth(stdout),
			theme,
		});
		stdout.write(`${plainSectionLines(sections, theme).join('\n')}\n`);
		return exitCodes.done;
	});
