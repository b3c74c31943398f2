import type { Attention } from '../watch/planner-input.ts';

/**
 * Joins the attention of people at several panes: the visible rows of all panes, and the details in the pane that was
 * used last. If no pane shows details, the time since which the cursor rests is that of the first pane.
 */
export function joinedAttention(attentions: readonly [Attention, ...Attention[]]): Attention {
	const { detailId, restingSince } = attentions.reduce((a, b) =>
		b.detailId !== undefined && (a.detailId === undefined || b.attendedUntil > a.attendedUntil)
			? b
			: a,
	);
	return {
		visibleIds: new Set(attentions.flatMap(({ visibleIds }) => [...visibleIds])),
		attendedUntil: Math.max(...attentions.map(({ attendedUntil }) => attendedUntil)),
		...(detailId !== undefined && { detailId }),
		...(restingSince !== undefined && { restingSince }),
	};
}
