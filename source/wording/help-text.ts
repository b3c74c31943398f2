import type { Section } from '../drawing/section.ts';
import { justified, type Span } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import type { Binding } from '../keys/binding.ts';

//  Keys                                      right: action name for [keys] in config.toml
//  In the table
//    s                 run it until it is stopped                                start

type HelpOptions = { bindings: readonly Binding[]; width: number; theme: Theme };

const sectionTitles = {
	fleet: 'In the table',
	billing: 'In billing',
	versions: 'In versions',
	line: 'While typing a filter',
	palette: 'In the palette',
	columns: 'While choosing columns',
	everywhere: 'Everywhere',
} as const;

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
	return Object.entries(sectionTitles).map(([section, title]): Section => {
		const listed = bindings.filter(
			({ keys, contexts, isRefused }) =>
				!isRefused && keys.length > 0 && isListedIn(section, contexts),
		);
		const lines = listed.map(({ action, keys, help }): readonly Span[] => {
			const left: readonly Span[] = [[`   ${keys.join(', ').padEnd(18)}`, 'accent'], [help]];
			return width < minWidthForActionNames
				? left
				: justified(left, [[` ${action} `, 'faint']], width, theme);
		});
		return [{ type: 'lines', lines: [[[` ${title}`, 'strong']], ...lines] }];
	});
}

/**
 * Returns whether this section of the help lists a binding with these contexts. The sections of billing and
 * versions list only keys that do not work in the table.
 */
function isListedIn(section: string, contexts: Binding['contexts']): boolean {
	const isInSection = contexts.some(each => each === section);
	const isOtherView = section === 'billing' || section === 'versions';
	return isOtherView ? isInSection && !contexts.includes('fleet') : isInSection;
}
