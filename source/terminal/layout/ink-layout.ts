import { layOutTree } from './flex-layout.ts';
import { FlexNode } from './flex-node.ts';

/** Replaces the nodes of Yoga in the build. Ink creates a node for each box and each text. */
export class InkLayoutNode extends FlexNode {
	static create(): InkLayoutNode {
		return new InkLayoutNode();
	}

	/** Lays out the tree below this node. Ink gives the root a width, and leaves its height open. */
	calculateLayout(width = Number.NaN, height = Number.NaN): void {
		layOutTree(this, width, height);
	}
}
