import * as root from 'mcp-dual-era';
import * as client from 'mcp-dual-era/client';
import * as otel from 'mcp-dual-era/otel';
import * as serve from 'mcp-dual-era/serve';
import * as testing from 'mcp-dual-era/testing';
import { describe, expect, it } from 'vitest';
import { ROOT_NAMES } from '../support/root-names.ts';

describe('the root entry', () => {
  it('exports these names and no others', () => {
    expect(Object.keys(root).sort()).toEqual(ROOT_NAMES);
  });

  it('has a builder for each of the four kinds', () => {
    expect(Object.keys(root.inputRequired).sort()).toEqual(['createMessage', 'elicit', 'elicitUrl', 'listRoots']);
  });
});

describe('the serving entry', () => {
  it('exports these names and no others', () => {
    expect(Object.keys(serve).sort()).toEqual(['createMcpHandler', 'serveStdio']);
  });
});

describe('the client entry', () => {
  it('exports these names and no others', () => {
    const names = ['callTool', 'connectDualEra', 'getPrompt', 'pendingAsk', 'readResource'];
    expect(Object.keys(client).sort()).toEqual(names);
  });
});

describe('the entry for OpenTelemetry', () => {
  it('exports these names and no others', () => {
    expect(Object.keys(otel).sort()).toEqual(['openTelemetry']);
  });
});

describe('the entry for tests', () => {
  it('exports these names and no others', () => {
    const answers = ['accept', 'cancel', 'decline', 'disconnect', 'fail', 'later', 'never', 'raw', 'roots', 'sample'];
    const others = ['checkReentrancy', 'formatDifferences', 'formatReentrancy', 'runOnBothEras'];
    expect(Object.keys(testing).sort()).toEqual([...answers, ...others].sort());
  });
});
