/** The prompt command: the server names what it needs to know, a person says it, the server's command runs with the answers. */

export interface Question {
  name: string;
  question: string;
}

export interface PromptRequest {
  command: string;
  argument: Record<string, unknown>;
  asks: Question[];
}

/** Asks one question; `undefined` means that the person does not want to go on. */
export type Ask = (question: string, step: number, steps: number) => Promise<string | undefined>;

const COMMANDS = /^memoryLsp\.server\.[a-z]+$/;

/** The argument of the prompt command if it has the right shape: a command of the server, and questions. */
export function promptRequest(value: unknown): PromptRequest | undefined {
  if (!isRecord(value) || typeof value['command'] !== 'string' || !COMMANDS.test(value['command'])) return undefined;
  const { command, argument, asks } = value;
  if (!isRecord(argument) || !Array.isArray(asks)) return undefined;
  const questions = asks.filter((ask): ask is Question & Record<string, unknown> =>
    isRecord(ask) && typeof ask['name'] === 'string' && typeof ask['question'] === 'string');
  if (questions.length !== asks.length) return undefined;
  return { command, argument, asks: questions.map(({ name, question }) => ({ name, question })) };
}

/** The argument with the answers in it; what is left empty is left out, and becomes a placeholder in the record. */
export async function answered(request: PromptRequest, ask: Ask): Promise<Record<string, unknown> | undefined> {
  const argument = { ...request.argument };
  for (const [index, { name, question }] of request.asks.entries()) {
    const answer = await ask(question, index + 1, request.asks.length);
    if (answer === undefined) return undefined;
    if (answer.trim() !== '') argument[name] = answer.trim();
  }
  return argument;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
