import type { Block, Section } from '../../drawing/section.ts';
import { wrapText } from '../../drawing/span.ts';
import type { QrRenderer } from '../../lines/qr.ts';
import type { Theme } from '../../lines/theme.ts';
import type { Payment } from '../../screen/screen.ts';
import { billingFailureText, billingRequestTexts } from '../../views/phrases/billing-request.ts';
import { paragraphLines } from './versions-text.ts';

//  Payment page  opened 4 s ago   y copies the address   Esc closes
//  https://pay.example.com/c/cs_test_a1B2c3
//  █▀▀▀▀▀█ ▄▀ █▀▀▀▀▀█    Credits   41.50
//  █ ███ █ ▀▄ █ ███ █    Lasts     2 d 2 h

type PaymentOptions = {
	payment: Payment;
	qrOf: QrRenderer;
	now: number;
	width: number;
	/** The number of lines that the section may fill. */
	maxLines: number;
	/** The lines beside the QR code, if there is room. */
	beside?: Section;
	theme: Theme;
};

const minBesideCells = 44;

/** Shows the address of the payment page as a link, and also as a QR code if the code fits. */
export function paymentSection({
	payment,
	qrOf,
	now,
	width,
	maxLines,
	beside = [],
	theme,
}: PaymentOptions): Section {
	if (payment.state === 'opening')
		return [{ type: 'waiting', text: billingRequestTexts.pay.doing }];
	if (payment.state === 'failed') {
		const { message, advice } = billingFailureText('pay', payment.failure);
		const words = `${theme.glyphs.error} ${message}`;
		const lines = [
			...paragraphLines(words, '', width, theme, 'bad'),
			...paragraphLines(advice, '', width, theme, 'faint'),
		];
		return [{ type: 'lines', lines }];
	}
	const { url, openedAt: at } = payment;
	const pieces = wrapText(url, width - 2, theme);
	const head: Block = {
		type: 'lines',
		lines: [
			[
				[' Payment page', 'strong'],
				[`  opened ${theme.times.ago(now - at)}`, 'faint'],
				['   y', 'accent'],
				[' copies the address', 'faint'],
				['   Esc', 'accent'],
				[' closes', 'faint'],
			],
		],
	};
	const link: Block = { type: 'link', url, pieces };
	const code = qrOf(url, theme.glyphs.halfBlocks);
	if (!code) return [head, link];
	const columns = code[0]?.length ?? 0;
	const hasRoom = columns < width && 1 + pieces.length + code.length <= maxLines;
	if (hasRoom) {
		const lines = beside.flatMap(block =>
			'lines' in block && block.type !== 'paper' ? block.lines : [],
		);
		const isBeside = lines.length > 0 && columns + minBesideCells <= width;
		return [head, link, { type: 'paper', lines: code, ...(isBeside && { beside: lines }) }];
	}
	const words = ` No room for the QR code, which needs ${columns} columns and ${code.length} lines.`;
	return [head, link, { type: 'lines', lines: [[[words, 'faint']]] }];
}
