export function originalModule(path: string): Promise<unknown>;
