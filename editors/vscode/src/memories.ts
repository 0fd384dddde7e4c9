/** Memories as a list to choose from, as the server tells them (`memoryLsp.server.list`). */

export interface ListedMemory {
  memory: string;
  title: string;
  path: string;
  status: string;
  verdict: string;
  served: string;
  reason: string;
  root: string;
  uri: string;
  line: number;
}

export interface MemoryItem {
  label: string;
  description: string;
  detail: string;
  memory: ListedMemory;
}

/** One row for each memory: its claim, its id, how it stands and where its record is. */
export function memoryItems(memories: readonly ListedMemory[]): MemoryItem[] {
  return memories.map(memory => ({
    label: `${icon(memory)} ${memory.title}`,
    description: memory.memory,
    detail: [standing(memory), memory.path].filter(part => part !== '').join(' · '),
    memory,
  }));
}

function standing({ status, verdict, served, reason }: ListedMemory): string {
  const words = status === 'approved' ? verdict : `${status}, ${verdict}`;
  return reason !== '' && served !== 'served' ? `${words}: ${reason}` : words;
}

function icon({ served }: ListedMemory): string {
  return served === 'served' ? '$(pass)' : served === 'unverified' ? '$(question)' : '$(warning)';
}
