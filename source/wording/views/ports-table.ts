import { fitTable, type TableBlock } from '../../drawing/section.ts';
import { fitToWidth, paintSpans } from '../../drawing/span.ts';
import { omittedPortCount, type PublishedPort } from '../../fleet/computers/computer.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { linkTo, type Theme } from '../../lines/theme.ts';
import type { PortCheck } from '../../operations/operations-state.ts';

//   PORT  STATE            PUBLIC ADDRESS
//   8080  answers, 4 s ago  https://…/v1/p/sb_atlas01/8080
//         shared link      https://…/v1/p/share/k3TgVq

/** Returns the functions that build the public addresses of an account's platform. */
export type AddressesOf = (account: string) => AddressBuilders;

export type AddressBuilders = {
	publicAddress: (id: string, port: number) => string;
	shareAddress: (token: string) => string;
};

type PortsTableOptions = AddressBuilders & {
	/** The id of the computer on the platform. */
	id: string;
	/** The id under which the checks of its ports are found. */
	rowId: GlobalId;
	ports: readonly PublishedPort[];
	checks: readonly PortCheck[];
	now: number;
	width: number;
	theme: Theme;
};

/**
 * Builds a table of the published ports of a computer, with the public address of each port and, if the
 * port is shared, the share address.
 */
export function portsTable(options: PortsTableOptions): TableBlock {
	const { id, rowId, ports, checks, now, width, theme, publicAddress, shareAddress } = options;
	const rows = ports.flatMap(({ port, url, shareToken }) => {
		const check = checks.find(each => each.id === rowId && each.port === port);
		const portRow = [
			String(port),
			check ? lastCheckText(check, now, theme) : 'not checked',
			url ?? publicAddress(id, port),
		];
		return shareToken === undefined
			? [portRow]
			: [portRow, ['', 'shared link', shareAddress(shareToken)]];
	});
	const omitted = omittedPortCount({ ports });
	if (omitted > 0) rows.push(['', '', omittedPortsText(omitted)]);
	return fitTable(
		[
			{ title: 'PORT', minWidth: 5, dropOrder: 0, align: 'right' },
			{ title: 'STATE', minWidth: 5, dropOrder: 1 },
			{ title: 'PUBLIC ADDRESS', minWidth: 20, dropOrder: 0, draw: drawLink },
		],
		rows,
		width,
		theme,
	);
}

export const omittedPortsText = (count: number) =>
	`and ${count} more, which crowsnest does not read`;

// The padding is not part of the link, because some terminals underline links.
function drawLink(url: string, width: number, theme: Theme): string {
	const size = Math.min(width, theme.ruler.width(url));
	// The end tells addresses apart.
	const { ellipsis } = theme.glyphs;
	const shown = size < url.length ? `${ellipsis}${url.slice(url.length - size + 1)}` : url;
	const text = paintSpans(fitToWidth([[shown, 'accent']], size, theme), theme);
	return linkTo(text, url) + ' '.repeat(width - size);
}

function lastCheckText(check: PortCheck, now: number, theme: Theme): string {
	if (check.state === 'asking') return 'checking';
	const words = check.state === 'failed' ? check.failure.message : checkResults[check.state];
	return `${words}, ${theme.times.ago(now - check.checkedAt)}`;
}

const checkResults = { answers: 'answers', silent: 'nothing answers' } as const;
