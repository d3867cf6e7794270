// @ts-check
/** The one place that knows which view library the page uses. */

import { Component, Fragment, h, render } from "../vendor/preact.js";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "../vendor/preact-hooks.js";
import htm from "../vendor/htm.js";
import { batch, computed, effect, signal } from "../vendor/signals.js";

/** Markup as a template. Interpolated text becomes text nodes, never HTML. */
export const html = htm.bind(h);

export {
  Component,
  Fragment,
  batch,
  computed,
  effect,
  render,
  signal,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
};
