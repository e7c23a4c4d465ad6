/** The product's logo. */

export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect x="1" y="1" width="30" height="30" rx="8" />
    <path d="M8 10h16M16 10v13" />
  </svg>
);
