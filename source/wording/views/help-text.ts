import type { Section } from '../../drawing/section.ts';
import { justified, type Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Binding } from '../../keys/binding.ts';
import {
	type HelpContext,
	helpHeadings,
	isTextContext,
	viewContexts,
} from '../../keys/key-context.ts';
import { homeView } from '../../screen/view-table.ts';

//  Keys                                      right: action name for [keys] in config.toml
//  In the table
//    s                 run it until it is stopped                                start

type HelpOptions = { bindings: readonly Binding[]; width: number; theme: Theme };

// Narrower screens leave out the action names, which a person needs only to write the configuration.
const minWidthForActionNames = 100;

export function helpTitle({
	width,
}: Pick<HelpOptions, 'width'>): readonly [Span[], readonly Span[]] {
	const names =
		width < minWidthForActionNames ? '' : ' right: action name for [keys] in config.toml ';
	return [[['Keys', 'strong']], [[names, 'faint']]];
}

/** Builds the help from the key bindings, so that the help is never out of date. */
export function helpSections({ bindings, width, theme }: HelpOptions): readonly Section[] {
	return helpHeadings.flatMap(([context, title]): readonly Section[] => {
		const listed = bindings.filter(
			({ keys, contexts, isRefused }) =>
				!isRefused && keys.length > 0 && isListedUnder(context, contexts),
		);
		if (listed.length === 0) return [];
		const lines = listed.map(({ action, keys, help }): readonly Span[] => {
			const left: readonly Span[] = [[`   ${keys.join(', ').padEnd(18)}`, 'accent'], [help]];
			return width < minWidthForActionNames
				? left
				: justified(left, [[` ${action} `, 'faint']], width, theme);
		});
		return [[{ type: 'lines', lines: [[[` ${title}`, 'strong']], ...lines] }]];
	});
}

/**
 * Returns whether a binding with these contexts is listed under the heading. The keys of the home view are not
 * repeated under the other views, nor the keys of every text field under each text field.
 */
function isListedUnder(heading: HelpContext, contexts: Binding['contexts']): boolean {
	const isView = viewContexts.some(context => context === heading);
	const general = isView ? homeView : isTextContext(heading) ? 'field' : undefined;
	const isRepeated = general !== undefined && general !== heading && contexts.includes(general);
	return contexts.includes(heading) && !isRepeated;
}
